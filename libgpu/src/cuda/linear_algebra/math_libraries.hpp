// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "cuda/linear_algebra/linear_algebra.hpp"
#include "cuda/memory/device_memory.hpp"

namespace gpu::detail::cuda {

/// This process's cuBLAS and cuSOLVER, over the backend and its memory. Both must live as long.
[[nodiscard]] std::unique_ptr<LinearAlgebraBase> make_math_libraries(Backend& backend, DeviceMemory& memory,
                                                                     bool blocking);

}  // namespace gpu::detail::cuda
