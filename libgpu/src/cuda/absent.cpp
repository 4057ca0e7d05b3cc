// SPDX-License-Identifier: MIT
#include <gpu/error.hpp>

#include "backend/backend.hpp"

namespace gpu::detail {

std::unique_ptr<Backend> make_cuda_backend(std::string& why_not) {
    why_not = "libgpu was built without the CUDA toolkit";
    return nullptr;
}

KernelSource source_for_ptx(const RawText& text) {
    throw LibraryNotFound("kernel " + text.name +
                          ": PTX is made by NVRTC, and libgpu was built without the CUDA toolkit");
}

std::string ptx_of(const KernelSource& source, int) {
    throw LibraryNotFound("kernel " + source.name +
                          ": PTX is made by NVRTC, and libgpu was built without the CUDA toolkit");
}

}  // namespace gpu::detail
