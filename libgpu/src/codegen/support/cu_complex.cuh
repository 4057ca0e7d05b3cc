// SPDX-License-Identifier: MIT
// <cuComplex.h>: complex numbers as in C. The quotient and the absolute value are scaled, so that no square overflows
// or underflows. Based on its documentation, in CUDA C++ that every backend's compiler accepts.

#define GPU_CU_COMPLEX(Z, T, f, F, square_root) \
    typedef T##2 Z; \
    static __device__ __forceinline__ Z make_##Z(T x, T y) { return make_##T##2(x, y); } \
    static __device__ __forceinline__ T cuCreal##f(Z z) { return z.x; } \
    static __device__ __forceinline__ T cuCimag##f(Z z) { return z.y; } \
    static __device__ __forceinline__ Z cuConj##f(Z z) { return make_##T##2(z.x, -z.y); } \
    static __device__ __forceinline__ Z cuCadd##f(Z a, Z b) { return make_##T##2(a.x + b.x, a.y + b.y); } \
    static __device__ __forceinline__ Z cuCsub##f(Z a, Z b) { return make_##T##2(a.x - b.x, a.y - b.y); } \
    static __device__ __forceinline__ Z cuCmul##f(Z a, Z b) { \
        return make_##T##2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); \
    } \
    static __device__ __forceinline__ Z cuCdiv##f(Z a, Z b) { \
        const T s = T(1) / (F(b.x) + F(b.y)); \
        const T ar = a.x * s, ai = a.y * s, br = b.x * s, bi = b.y * s, o = T(1) / (br * br + bi * bi); \
        return make_##T##2((ar * br + ai * bi) * o, (ai * br - ar * bi) * o); \
    } \
    static __device__ __forceinline__ T cuCabs##f(Z z) { \
        const T a = F(z.x), b = F(z.y), v = a > b ? a : b, w = a > b ? b : a; \
        if (v == T(0) || v - v != T(0) || w - w != T(0)) return v + w; \
        const T t = w / v; \
        return v * square_root(T(1) + t * t); \
    }
GPU_CU_COMPLEX(cuFloatComplex, float, f, fabsf, sqrtf)
GPU_CU_COMPLEX(cuDoubleComplex, double, , fabs, sqrt)
#undef GPU_CU_COMPLEX
typedef cuFloatComplex cuComplex;
static __device__ __forceinline__ cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
static __device__ __forceinline__ cuComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_float2((float)z.x, (float)z.y);
}
static __device__ __forceinline__ cuDoubleComplex cuComplexFloatToDouble(cuComplex z) { return make_double2(z.x, z.y); }
static __device__ __forceinline__ cuComplex cuCfmaf(cuComplex a, cuComplex b, cuComplex c) {
    return cuCaddf(cuCmulf(a, b), c);
}
static __device__ __forceinline__ cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
    return cuCadd(cuCmul(a, b), c);
}
