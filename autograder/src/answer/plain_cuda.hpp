// SPDX-License-Identifier: MIT
#pragma once

#include "verdict/verdict.hpp"

namespace course {

/// Tells of a plain CUDA program in CUDA's words, which are all that it has: cudaMemcpy(), not gpu::to_device.
void tell_in_cuda(Result& result);

}  // namespace course
