// SPDX-License-Identifier: MIT
#pragma once

namespace gpu::detail {

// What random kernels call, in CUDA C++ for both backends. No product is added to anything but by fma(): nothing is
// left for a compiler to contract, so that all round alike.

extern const char* const philox_text;       ///< gpu_philox(): 128 random bits; gpu_64(): two words of them
extern const char* const float_functions;   ///< gpu_log(), gpu_fraction(), gpu_turn(), gpu_pair() in float
extern const char* const double_functions;  ///< the same in double
extern const char* const wide_product;      ///< gpu_high()

}  // namespace gpu::detail
