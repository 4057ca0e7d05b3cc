// SPDX-License-Identifier: MIT
// A storage type: all computations are done in float. The host's prelude has the conversions.

#ifndef __LIBGPU_HOST__
static __device__ __forceinline__ unsigned short gpu_half_from_float(float x) {
    unsigned short bits;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(x));
    return bits;
}
static __device__ __forceinline__ unsigned short gpu_half_from_double(double x) {
    unsigned short bits;
    asm("cvt.rn.f16.f64 %0, %1;" : "=h"(bits) : "d"(x));
    return bits;
}
static __device__ __forceinline__ float gpu_half_to_float(unsigned short bits) {
    float x;
    asm("cvt.f32.f16 %0, %1;" : "=f"(x) : "h"(bits));
    return x;
}
#endif
struct half {
    half() = default;
    __device__ __forceinline__ half(float x) : bits(gpu_half_from_float(x)) {}
    __device__ __forceinline__ half(double x) : bits(gpu_half_from_double(x)) {}
    template <class I> __device__ __forceinline__ half(I x) : bits(gpu_half_from_float((float)x)) {}
    __device__ __forceinline__ operator float() const { return gpu_half_to_float(bits); }
    template <class T> __device__ __forceinline__ half& operator+=(T x) { return *this = half(*this + x); }
    template <class T> __device__ __forceinline__ half& operator-=(T x) { return *this = half(*this - x); }
    template <class T> __device__ __forceinline__ half& operator*=(T x) { return *this = half(*this * x); }
    template <class T> __device__ __forceinline__ half& operator/=(T x) { return *this = half(*this / x); }
    unsigned short bits;
};
