// SPDX-License-Identifier: MIT
// A storage type as half: all computations are done in float. The host's prelude has the conversions.

#ifndef __LIBGPU_HOST__
static __device__ __forceinline__ unsigned short gpu_bfloat16_from_float(float x) {
#if __CUDA_ARCH__ >= 800
    unsigned short bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
#else
    const unsigned bits = __float_as_uint(x);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
    return (unsigned short)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
#endif
}
// By way of the float whose last bit is odd, or exact: the second rounding is then the only one.
static __device__ __forceinline__ unsigned short gpu_bfloat16_from_double(double x) {
    const float down = __double2float_rz(x);
    const bool is_exact = (double)down == x || x != x;
    return gpu_bfloat16_from_float(is_exact ? down : __uint_as_float(__float_as_uint(down) | 1u));
}
static __device__ __forceinline__ float gpu_bfloat16_to_float(unsigned short bits) {
    return __uint_as_float((unsigned)bits << 16);
}
#endif
static __device__ __forceinline__ double gpu_odd_double(long long x) {
    const unsigned long long size = x < 0 ? 0 - (unsigned long long)x : (unsigned long long)x;
    const double near = size >> 53 == 0 ? (double)size : (double)(size >> 11 | (size & 0x7ff ? 1 : 0)) * 2048;
    return x < 0 ? -near : near;
}
static __device__ __forceinline__ double gpu_odd_double(unsigned long long x) {
    return x >> 53 == 0 ? (double)x : (double)(x >> 11 | (x & 0x7ff ? 1 : 0)) * 2048;
}
struct __nv_bfloat16 {
    __nv_bfloat16() = default;
    __device__ __forceinline__ __nv_bfloat16(float x) : bits(gpu_bfloat16_from_float(x)) {}
    __device__ __forceinline__ __nv_bfloat16(double x) : bits(gpu_bfloat16_from_double(x)) {}
    __device__ __forceinline__ __nv_bfloat16(long long x) : bits(gpu_bfloat16_from_double(gpu_odd_double(x))) {}
    __device__ __forceinline__ __nv_bfloat16(unsigned long long x)
        : bits(gpu_bfloat16_from_double(gpu_odd_double(x))) {}
    __device__ __forceinline__ __nv_bfloat16(long x) : __nv_bfloat16((long long)x) {}
    __device__ __forceinline__ __nv_bfloat16(unsigned long x) : __nv_bfloat16((unsigned long long)x) {}
    template <class I> __device__ __forceinline__ __nv_bfloat16(I x) : bits(gpu_bfloat16_from_double((double)x)) {}
    __device__ __forceinline__ operator float() const { return gpu_bfloat16_to_float(bits); }
    template <class T> __device__ __forceinline__ __nv_bfloat16& operator+=(T x) {
        return *this = __nv_bfloat16(*this + x);
    }
    template <class T> __device__ __forceinline__ __nv_bfloat16& operator-=(T x) {
        return *this = __nv_bfloat16(*this - x);
    }
    template <class T> __device__ __forceinline__ __nv_bfloat16& operator*=(T x) {
        return *this = __nv_bfloat16(*this * x);
    }
    template <class T> __device__ __forceinline__ __nv_bfloat16& operator/=(T x) {
        return *this = __nv_bfloat16(*this / x);
    }
    unsigned short bits;
};
typedef __nv_bfloat16 nv_bfloat16;
