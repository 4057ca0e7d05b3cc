// SPDX-License-Identifier: MIT
// cuda_fp16.h of the host backend: __half, __half2, their conversions and operators. Arithmetic is done in float and
// rounded once more, which gives the correctly rounded half for + - * / and sqrt.
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host::text {

const char half_bits[] = R"gpu(
#pragma GCC system_header
#pragma once
// A half's bits and floats, to the nearest, ties to even: by the compiler's type, an instruction, or by hand. On arm64
// g++ has _Float16 since version 13.
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
    // The sum's last bit is the half's: the processor rounds. Below 2^-14 a half's step is 2^-24.
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
// Rounded to odd: what is then rounded to a half is rounded as if it had been the double.
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
)gpu";

const char half[] = R"gpu(
#pragma GCC system_header
#ifndef GPU_HALF
#define GPU_HALF
#include "libgpu/half_bits.hpp"
#include "libgpu/intrinsics.hpp"

struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
struct __attribute__((aligned(2))) __half {
    __half() = default;
    __half(__half_raw raw) : __x(raw.x) {}
    __half(float value) : __x(gpu_half_from_float(value)) {}
    __half(double value) : __x(gpu_half_from_double(value)) {}
#define GPU_HALF_INTEGER(I) \
    __half(I value) : __x(gpu_half_from_float((float)value)) {} \
    operator I() const { return (I)gpu_to_integer<I>(__builtin_truncf(gpu_half_to_float(__x))); }
    GPU_HALF_INTEGER(short) GPU_HALF_INTEGER(unsigned short) GPU_HALF_INTEGER(int) GPU_HALF_INTEGER(unsigned)
    GPU_HALF_INTEGER(long) GPU_HALF_INTEGER(unsigned long) GPU_HALF_INTEGER(long long)
    GPU_HALF_INTEGER(unsigned long long)
#undef GPU_HALF_INTEGER
    operator char() const { return gpu_to_integer<char>(__builtin_truncf(gpu_half_to_float(__x))); }
    operator signed char() const { return gpu_to_integer<signed char>(__builtin_truncf(gpu_half_to_float(__x))); }
    operator unsigned char() const { return gpu_to_integer<unsigned char>(__builtin_truncf(gpu_half_to_float(__x))); }
    operator bool() const { return (__x & 0x7fff) != 0; }
    operator float() const { return gpu_half_to_float(__x); }
    operator __half_raw() const { return {__x}; }
    unsigned short __x;
};
typedef __half half, __nv_half, nv_half;
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    __half2(__half a, __half b) : x(a), y(b) {}
    __half2(__half2_raw raw) : x(__half_raw{raw.x}), y(__half_raw{raw.y}) {}
    operator __half2_raw() const { return {x.__x, y.__x}; }
};
typedef __half2 half2, __nv_half2, nv_half2;
GPU_INLINE __half gpu_half(float value) { return __half(value); }
GPU_INLINE float gpu_float(__half value) { return gpu_half_to_float(value.__x); }
GPU_INLINE __half gpu_half_of_bits(unsigned bits) { return __half(__half_raw{(unsigned short)bits}); }
GPU_INLINE __half2 make_half2(__half x, __half y) { return __half2(x, y); }

// Directed rounding: the nearest, or its neighbour on the wanted side.
GPU_INLINE __half gpu_half_rounded(float value, gpu_rounding mode) {
    unsigned bits = gpu_half_from_float(value);
    const float nearest = gpu_half_to_float((unsigned short)bits);
    const bool negative = (gpu_bit_cast<unsigned>(value) >> 31) != 0;
    const bool above = nearest > value, below = nearest < value;
    const bool lower = above && (mode == gpu_down || (mode == gpu_zero && !negative));
    const bool raise = below && (mode == gpu_up || (mode == gpu_zero && negative));
    if (lower) bits = negative ? bits + 1 : bits - 1;
    if (raise) bits = negative ? bits - 1 : bits + 1;
    return gpu_half_of_bits(bits);
}
GPU_INLINE __half __float2half(float x) { return gpu_half(x); }
GPU_INLINE __half __float2half_rn(float x) { return gpu_half(x); }
GPU_INLINE __half __float2half_rz(float x) { return gpu_half_rounded(x, gpu_zero); }
GPU_INLINE __half __float2half_rd(float x) { return gpu_half_rounded(x, gpu_down); }
GPU_INLINE __half __float2half_ru(float x) { return gpu_half_rounded(x, gpu_up); }
GPU_INLINE __half __double2half(double x) { return __half(x); }
GPU_INLINE float __half2float(__half x) { return gpu_float(x); }
#define GPU_HALF_FROM(name, I) \
    GPU_INLINE __half __##name##2half_rn(I x) { return gpu_half((float)x); } \
    GPU_INLINE __half __##name##2half_rz(I x) { return gpu_half_rounded((float)x, gpu_zero); } \
    GPU_INLINE __half __##name##2half_rd(I x) { return gpu_half_rounded((float)x, gpu_down); } \
    GPU_INLINE __half __##name##2half_ru(I x) { return gpu_half_rounded((float)x, gpu_up); } \
    GPU_INLINE I __half2##name##_rn(__half h) { \
        return gpu_to_integer<I>(gpu_to_integral(gpu_float(h), gpu_nearest)); \
    } \
    GPU_INLINE I __half2##name##_rz(__half h) { return gpu_to_integer<I>(gpu_to_integral(gpu_float(h), gpu_zero)); } \
    GPU_INLINE I __half2##name##_rd(__half h) { return gpu_to_integer<I>(gpu_to_integral(gpu_float(h), gpu_down)); } \
    GPU_INLINE I __half2##name##_ru(__half h) { return gpu_to_integer<I>(gpu_to_integral(gpu_float(h), gpu_up)); }
GPU_HALF_FROM(int, int) GPU_HALF_FROM(uint, unsigned) GPU_HALF_FROM(short, short) GPU_HALF_FROM(ushort, unsigned short)
GPU_HALF_FROM(ll, long long) GPU_HALF_FROM(ull, unsigned long long)
#undef GPU_HALF_FROM
GPU_INLINE signed char __half2char_rz(__half h) { return gpu_to_integer<signed char>(__builtin_truncf(gpu_float(h))); }
GPU_INLINE unsigned char __half2uchar_rz(__half h) {
    return gpu_to_integer<unsigned char>(__builtin_truncf(gpu_float(h)));
}
GPU_INLINE short __half_as_short(__half h) { return (short)h.__x; }
GPU_INLINE unsigned short __half_as_ushort(__half h) { return h.__x; }
GPU_INLINE __half __short_as_half(short x) { return gpu_half_of_bits((unsigned short)x); }
GPU_INLINE __half __ushort_as_half(unsigned short x) { return gpu_half_of_bits(x); }

GPU_INLINE __half2 __float2half2_rn(float x) { return {gpu_half(x), gpu_half(x)}; }
GPU_INLINE __half2 __floats2half2_rn(float x, float y) { return {gpu_half(x), gpu_half(y)}; }
GPU_INLINE __half2 __float22half2_rn(float2 v) { return {gpu_half(v.x), gpu_half(v.y)}; }
GPU_INLINE float2 __half22float2(__half2 v) { return {gpu_float(v.x), gpu_float(v.y)}; }
GPU_INLINE __half2 __half2half2(__half x) { return {x, x}; }
GPU_INLINE __half2 __halves2half2(__half x, __half y) { return {x, y}; }
GPU_INLINE __half __low2half(__half2 v) { return v.x; }
GPU_INLINE __half __high2half(__half2 v) { return v.y; }
GPU_INLINE float __low2float(__half2 v) { return gpu_float(v.x); }
GPU_INLINE float __high2float(__half2 v) { return gpu_float(v.y); }
GPU_INLINE __half2 __low2half2(__half2 v) { return {v.x, v.x}; }
GPU_INLINE __half2 __high2half2(__half2 v) { return {v.y, v.y}; }
GPU_INLINE __half2 __lowhigh2highlow(__half2 v) { return {v.y, v.x}; }
GPU_INLINE __half2 __lows2half2(__half2 a, __half2 b) { return {a.x, b.x}; }
GPU_INLINE __half2 __highs2half2(__half2 a, __half2 b) { return {a.y, b.y}; }

#define GPU_HALF_OPERATOR(op) \
    GPU_INLINE __half operator op(const __half& a, const __half& b) { return gpu_half(gpu_float(a) op gpu_float(b)); } \
    GPU_INLINE __half& operator op##=(__half& a, const __half& b) { return a = a op b; } \
    GPU_INLINE __half2 operator op(const __half2& a, const __half2& b) { return {a.x op b.x, a.y op b.y}; } \
    GPU_INLINE __half2& operator op##=(__half2& a, const __half2& b) { return a = a op b; }
GPU_HALF_OPERATOR(+) GPU_HALF_OPERATOR(-) GPU_HALF_OPERATOR(*) GPU_HALF_OPERATOR(/)
#undef GPU_HALF_OPERATOR
#define GPU_HALF_COMPARISON(op) \
    GPU_INLINE bool operator op(const __half& a, const __half& b) { return gpu_float(a) op gpu_float(b); } \
    GPU_INLINE bool operator op(const __half2& a, const __half2& b) { return a.x op b.x && a.y op b.y; }
GPU_HALF_COMPARISON(==) GPU_HALF_COMPARISON(<) GPU_HALF_COMPARISON(>) GPU_HALF_COMPARISON(<=) GPU_HALF_COMPARISON(>=)
#undef GPU_HALF_COMPARISON
GPU_INLINE bool operator!=(const __half& a, const __half& b) { return gpu_float(a) != gpu_float(b); }
GPU_INLINE bool operator!=(const __half2& a, const __half2& b) { return a.x != b.x && a.y != b.y; }
GPU_INLINE __half operator+(const __half& h) { return h; }
GPU_INLINE __half operator-(const __half& h) { return gpu_half_of_bits(h.__x ^ 0x8000u); }
GPU_INLINE __half2 operator+(const __half2& v) { return v; }
GPU_INLINE __half2 operator-(const __half2& v) { return {-v.x, -v.y}; }
GPU_INLINE __half& operator++(__half& h) { return h = gpu_half(gpu_float(h) + 1.0f); }
GPU_INLINE __half& operator--(__half& h) { return h = gpu_half(gpu_float(h) - 1.0f); }
GPU_INLINE __half operator++(__half& h, int) { const __half old = h; ++h; return old; }
GPU_INLINE __half operator--(__half& h, int) { const __half old = h; --h; return old; }
GPU_INLINE __half2& operator++(__half2& v) { ++v.x; ++v.y; return v; }
GPU_INLINE __half2& operator--(__half2& v) { --v.x; --v.y; return v; }
#include "libgpu/half_math.hpp"
#endif
)gpu";

}  // namespace gpu::detail::host::text
