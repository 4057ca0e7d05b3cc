// SPDX-License-Identifier: MIT
// <cupy/complex.cuh> and <thrust/complex.h>: libgpu's complex numbers under these names. Based on their documentation,
// in CUDA C++ that every backend's compiler accepts.

#ifndef GPU_COMPLEX_NAMES
#define GPU_COMPLEX_NAMES
#define GPU_COMPLEX_FUNCTION template <class T> __device__ __forceinline__
GPU_COMPLEX_FUNCTION bool isnan(const complex<T>& z) { return isnan(z.real()) || isnan(z.imag()); }
GPU_COMPLEX_FUNCTION bool isinf(const complex<T>& z) { return isinf(z.real()) || isinf(z.imag()); }
GPU_COMPLEX_FUNCTION bool isfinite(const complex<T>& z) { return isfinite(z.real()) && isfinite(z.imag()); }
GPU_COMPLEX_FUNCTION complex<T> rint(const complex<T>& z) { return {rint(z.real()), rint(z.imag())}; }
// There is a single point at infinity, however it is reached.
GPU_COMPLEX_FUNCTION complex<T> proj(const complex<T>& z) {
    return isinf(z) ? complex<T>(abs(z), copysign(T(0), z.imag())) : z;
}
// NumPy's order: by the real parts, then by the imaginary ones. If one is NaN, the other number.
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
