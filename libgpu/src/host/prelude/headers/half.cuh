// SPDX-License-Identifier: MIT
// <cuda_fp16.h>: __half, __half2, their conversions and operators. Arithmetic is done in float and rounded once more,
// which gives the correctly rounded half for + - * / and sqrt.

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
// A float for an integer to be rounded from once more: one that isn't exact is odd, so that no tie comes about.
template <class I>
GPU_INLINE float gpu_half_odd(I x) {
    const unsigned long long size = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    if (size >> 24 == 0) return (float)x;
    const int shift = 40 - __builtin_clzll(size);
    const unsigned long long lost = size & ((1ull << shift) - 1);
    const float near = (float)((size >> shift) | (lost != 0 ? 1 : 0)) * (float)(1ull << shift);
    return x < 0 ? -near : near;
}
#define GPU_HALF_FROM(name, I) \
    GPU_INLINE __half __##name##2half_rn(I x) { return gpu_half(gpu_half_odd(x)); } \
    GPU_INLINE __half __##name##2half_rz(I x) { return gpu_half_rounded(gpu_half_odd(x), gpu_zero); } \
    GPU_INLINE __half __##name##2half_rd(I x) { return gpu_half_rounded(gpu_half_odd(x), gpu_down); } \
    GPU_INLINE __half __##name##2half_ru(I x) { return gpu_half_rounded(gpu_half_odd(x), gpu_up); } \
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
