// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Complex numbers by the names that CUDA's and CuPy's headers have for them.
inline constexpr const char* complex_names = R"(
#include <cuComplex.h>
#include <cupy/complex.cuh>
#include <thrust/complex.h>
__global__ void cu_single(const cuFloatComplex* in, float2* out, cuComplex more) {
    const cuFloatComplex a = in[threadIdx.x], b = in[threadIdx.x + 1];
    float2* mine = out + threadIdx.x * 10;
    int k = 0;
    mine[k++] = cuCaddf(a, b); mine[k++] = cuCsubf(a, b); mine[k++] = cuCmulf(a, b); mine[k++] = cuCdivf(a, b);
    mine[k++] = cuConjf(a); mine[k++] = make_cuFloatComplex(cuCrealf(a), cuCimagf(b));
    mine[k++] = make_cuComplex(cuCabsf(a), 0); mine[k++] = cuCfmaf(a, b, more);
    mine[k++] = cuComplexDoubleToFloat(cuComplexFloatToDouble(a)); mine[k++] = more;
}
__global__ void cu_double(const double2* in, cuDoubleComplex* out, double2 more) {
    const cuDoubleComplex a = in[threadIdx.x], b = in[threadIdx.x + 1];
    double2* mine = out + threadIdx.x * 10;
    int k = 0;
    mine[k++] = cuCadd(a, b); mine[k++] = cuCsub(a, b); mine[k++] = cuCmul(a, b); mine[k++] = cuCdiv(a, b);
    mine[k++] = cuConj(a); mine[k++] = make_cuDoubleComplex(cuCreal(a), cuCimag(b));
    mine[k++] = make_cuDoubleComplex(cuCabs(a), 0); mine[k++] = cuCfma(a, b, more);
    mine[k++] = a; mine[k++] = more;
}
template <class T> __device__ void all_of(const complex<T>* in, complex<T>* out) {
    const complex<T> a = in[threadIdx.x], b = in[threadIdx.x + 1];
    complex<T>* mine = out + threadIdx.x * 30;
    int k = 0;
    mine[k++] = a * b + conj(a) - T(2); mine[k++] = a / b; mine[k++] = complex<T>(a.real(), b.imag());
    mine[k++] = complex<T>(real(a), imag(b)); mine[k++] = complex<T>(abs(a), arg(a)); mine[k++] = norm(a);
    mine[k++] = exp(a); mine[k++] = log(a); mine[k++] = log10(a); mine[k++] = sqrt(a); mine[k++] = pow(a, b);
    mine[k++] = sin(a); mine[k++] = cos(a); mine[k++] = tan(a); mine[k++] = sinh(a); mine[k++] = cosh(a);
    mine[k++] = tanh(a); mine[k++] = asin(a); mine[k++] = acos(a); mine[k++] = atan(a); mine[k++] = asinh(a);
    mine[k++] = acosh(a); mine[k++] = atanh(a); mine[k++] = polar(T(2), T(1)); mine[k++] = proj(a);
    mine[k++] = min(a, b); mine[k++] = max(a, b); mine[k++] = rint(a);
    const complex<T> infinite(a.real() / (b.real() - b.real()), 1), none(infinite.real() - infinite.real(), 0);
    mine[k++] = complex<T>(isnan(a) + 2 * isnan(none) + 4 * isinf(infinite) + 8 * isinf(a),
                           isfinite(a) + 2 * isfinite(none) + 4 * isfinite(infinite));
    mine[k++] = complex<T>(proj(infinite).imag() == 0 && isinf(proj(infinite).real()), max(none, a) == a);
}
__global__ void cupy_single(const complex<float>* in, complex<float>* out) { all_of(in, out); }
__global__ void cupy_double(const thrust::complex<double>* in, complex<double>* out) { all_of(in, out); }
__global__ void of_thrust(const thrust::complex<float>* in, thrust::complex<float>* out) {
    out[threadIdx.x] = thrust::exp(in[threadIdx.x]) * thrust::conj(in[threadIdx.x]) + thrust::polar(1.f, 2.f);
}
)";

}  // namespace texts
