// SPDX-License-Identifier: MIT
#include "backend/kernel_fault.hpp"

namespace gpu::detail {

KernelFault::~KernelFault() = default;

}  // namespace gpu::detail
