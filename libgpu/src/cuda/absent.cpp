// SPDX-License-Identifier: MIT
#include "backend.hpp"

namespace gpu::detail {

std::unique_ptr<Backend> make_cuda_backend(std::string& why_not) {
    why_not = "libgpu was built without the CUDA toolkit";
    return nullptr;
}

}  // namespace gpu::detail
