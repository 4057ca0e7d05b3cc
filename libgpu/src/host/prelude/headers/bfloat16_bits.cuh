// SPDX-License-Identifier: MIT
// What <cuda_bf16.h> has besides the renamed texts of half.cuh and half_math.cuh, see bfloat16_of_half().

#pragma GCC system_header
#pragma once
#include "libgpu/half_bits.hpp"
// A bfloat16 is a float's upper half, rounded to the nearest, ties to even.
GPU_INLINE unsigned short gpu_bfloat16_from_float(float value) {
    const unsigned bits = gpu_bit_cast<unsigned>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}
GPU_INLINE float gpu_bfloat16_to_float(unsigned short bits) { return gpu_bit_cast<float>((unsigned)bits << 16); }
GPU_INLINE unsigned short gpu_bfloat16_from_double(double value) {
    return gpu_bfloat16_from_float(gpu_odd_float(value));
}
