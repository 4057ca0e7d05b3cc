// SPDX-License-Identifier: MIT
// Headers of others, by what their documentation says of them, in CUDA C++ that every backend's compiler takes.
#include "codegen/kernel_headers.hpp"

namespace gpu::detail {

// Complex numbers as C has them. The quotient and the absolute value are scaled, so that no square over- or underflows.
const std::string_view cu_complex_header = R"gpu(
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
)gpu";

const std::string_view complex_header = R"gpu(
#ifndef GPU_COMPLEX_NAMES
#define GPU_COMPLEX_NAMES
#define GPU_COMPLEX_FUNCTION template <class T> __device__ __forceinline__
GPU_COMPLEX_FUNCTION bool isnan(const complex<T>& z) { return isnan(z.real()) || isnan(z.imag()); }
GPU_COMPLEX_FUNCTION bool isinf(const complex<T>& z) { return isinf(z.real()) || isinf(z.imag()); }
GPU_COMPLEX_FUNCTION bool isfinite(const complex<T>& z) { return isfinite(z.real()) && isfinite(z.imag()); }
GPU_COMPLEX_FUNCTION complex<T> rint(const complex<T>& z) { return {rint(z.real()), rint(z.imag())}; }
// The point at infinity is one point, on whichever way it is reached.
GPU_COMPLEX_FUNCTION complex<T> proj(const complex<T>& z) {
    return isinf(z) ? complex<T>(abs(z), copysign(T(0), z.imag())) : z;
}
// In the order of NumPy: by the real parts, then by the imaginary ones. The other number where one is not a number.
GPU_COMPLEX_FUNCTION bool gpu_complex_precedes(const complex<T>& a, const complex<T>& b) {
    return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}
GPU_COMPLEX_FUNCTION complex<T> min(const complex<T>& a, const complex<T>& b) {
    return isnan(a) ? b : isnan(b) ? a : gpu_complex_precedes(b, a) ? b : a;
}
GPU_COMPLEX_FUNCTION complex<T> max(const complex<T>& a, const complex<T>& b) {
    return isnan(a) ? b : isnan(b) ? a : gpu_complex_precedes(a, b) ? b : a;
}
#undef GPU_COMPLEX_FUNCTION
namespace thrust {
using ::complex;
using ::abs; using ::arg; using ::conj; using ::imag; using ::norm; using ::polar; using ::proj; using ::real;
using ::exp; using ::log; using ::log10; using ::pow; using ::sqrt;
using ::sin; using ::cos; using ::tan; using ::asin; using ::acos; using ::atan;
using ::sinh; using ::cosh; using ::tanh; using ::asinh; using ::acosh; using ::atanh;
}  // namespace thrust
#endif
)gpu";

}  // namespace gpu::detail
