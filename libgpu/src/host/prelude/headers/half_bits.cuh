// SPDX-License-Identifier: MIT
// The bits of halves.

#pragma GCC system_header
#pragma once
// Converts between a half's bits and floats, to the nearest, ties to even: with the compiler's type, an instruction, or
// by hand. On arm64, g++ has _Float16 since version 13.
#if !defined(__clang__) && defined(__aarch64__)
typedef __fp16 gpu_compilers_half;
#elif !defined(__clang__) || defined(__aarch64__)
typedef _Float16 gpu_compilers_half;
#endif
GPU_INLINE unsigned short gpu_half_from_float(float value) {
#if !defined(GPU_SOFT_HALF) && (!defined(__clang__) || defined(__aarch64__))
    return gpu_bit_cast<unsigned short>((gpu_compilers_half)value);
#elif !defined(GPU_SOFT_HALF) && defined(__F16C__)
    typedef float Four __attribute__((vector_size(16)));
    const Four four = {value, 0.0f, 0.0f, 0.0f};
    return (unsigned short)__builtin_ia32_vcvtps2ph(four, 0)[0];
#else
    const unsigned bits = gpu_bit_cast<unsigned>(value), sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u) return (unsigned short)(sign | 0x7e00u | (rest >> 13 & 0x3ffu));
    if (rest >= 0x477ff000u) return (unsigned short)(sign | 0x7c00u);
    // The sum's last bit is the half's: the processor rounds. Below 2^-14 halves are 2^-24 apart.
    if (rest < 0x38800000u) {
        const float sum = gpu_bit_cast<float>(rest) + 0.5f;
        return (unsigned short)(sign | (gpu_bit_cast<unsigned>(sum) - 0x3f000000u));
    }
    const unsigned rounded = rest + 0xfffu + (rest >> 13 & 1u);
    return (unsigned short)(sign | ((rounded - 0x38000000u) >> 13));
#endif
}
GPU_INLINE float gpu_half_to_float(unsigned short half) {
#if !defined(GPU_SOFT_HALF) && (!defined(__clang__) || defined(__aarch64__))
    return (float)gpu_bit_cast<gpu_compilers_half>(half);
#elif !defined(GPU_SOFT_HALF) && defined(__F16C__)
    typedef short Eight __attribute__((vector_size(16)));
    const Eight eight = {(short)half};
    return __builtin_ia32_vcvtph2ps(eight)[0];
#else
    const unsigned sign = (half & 0x8000u) << 16, rest = half & 0x7fffu;
    if (rest >= 0x7c00u)
        return gpu_bit_cast<float>(sign | 0x7f800000u | (rest > 0x7c00u ? 0x400000u : 0u) | (rest & 0x3ffu) << 13);
    const float value = gpu_bit_cast<float>((rest << 13) + 0x38000000u);
    const float exact = rest >= 0x400u ? value : (float)rest * 0x1p-24f;
    return gpu_bit_cast<float>(gpu_bit_cast<unsigned>(exact) | sign);
#endif
}
// Rounded to odd: rounding it to a half gives the same result as rounding the double.
GPU_INLINE float gpu_odd_float(double value) {
    const float nearest = (float)value;
    if ((double)nearest == value || value != value) return nearest;
    unsigned bits = gpu_bit_cast<unsigned>(nearest);
    if (__builtin_fabs((double)nearest) > __builtin_fabs(value)) --bits;
    return gpu_bit_cast<float>(bits | 1u);
}
enum gpu_rounding { gpu_nearest, gpu_zero, gpu_down, gpu_up };
GPU_INLINE float gpu_to_integral(float x, gpu_rounding mode) {
    return mode == gpu_nearest ? __builtin_rintf(x) : mode == gpu_zero ? __builtin_truncf(x)
         : mode == gpu_down ? __builtin_floorf(x) : __builtin_ceilf(x);
}
GPU_INLINE unsigned short gpu_half_from_double(double value) { return gpu_half_from_float(gpu_odd_float(value)); }
