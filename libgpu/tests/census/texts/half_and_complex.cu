// SPDX-License-Identifier: MIT
//// half arithmetic
#include <cuda_fp16.h>
__global__ void k(half* x) { x[0] = x[1] + x[2] * x[3] - x[4] / x[5]; x[1] += x[2]; x[3] = -x[4]; if (x[0] < x[1]) ++x[0]; }
//// half functions
#include <cuda_fp16.h>
__global__ void k(__half* x) { x[0] = hsqrt(x[1]) + hexp(x[2]) + hlog(x[3]) + hsin(x[4]) + hrcp(x[5]) + hfloor(x[6]) + __hmax(x[1], x[2]) + __hfma(x[1], x[2], x[3]) + __habs(x[4]); }
//// half conversions
#include <cuda_fp16.h>
__global__ void k(__half* x, float* y, int* z) { x[0] = __float2half(1.5f); y[0] = __half2float(x[1]); z[0] = __half2int_rn(x[2]); x[3] = __int2half_rn(3); x[4] = __float2half_rz(y[1]); x[5] = __ushort_as_half(0x3c00); x[6] = 2.5f; y[2] = x[7]; }
//// half2
#include <cuda_fp16.h>
__global__ void k(__half2* x, float2* y) { x[0] = __hadd2(x[1], x[2]); x[1] = __floats2half2_rn(1, 2); y[0] = __half22float2(x[3]); x[2] = __hfma2(x[0], x[1], x[2]); x[3] = h2exp(x[4]); x[4] = x[5] * x[6]; x[5].x = __low2half(x[6]); x[6] = make_half2(x[1].x, x[2].y); }
//// half comparisons
#include <cuda_fp16.h>
__global__ void k(int* z, __half* x, __half2* y) { z[0] = __heq(x[0], x[1]) + __hgt(x[0], x[1]) + __hltu(x[0], x[1]) + __hbeq2(y[0], y[1]) + __hisnan(x[0]) + (x[0] == x[1]); }
//// half with an int
#include <cuda_fp16.h>
__global__ void k(__half* x) { x[0] = x[1] + (__half)2; x[2] = __half(3) * x[1]; }
//// half with a float
#include <cuda_fp16.h>
__global__ void k(__half* x, float f) { x[0] = __half2float(x[1]) * f; }
//// half and a literal
#include <cuda_fp16.h>
__global__ void k(half* x) { x[0] = x[1] * 2.0f; }
//// half in shared memory
#include <cuda_fp16.h>
__global__ void k(half* x) { __shared__ half s[32]; s[threadIdx.x] = x[0]; __syncthreads(); x[1] = s[0]; }
//// half without its header
__global__ void k(half* x) { x[0] = x[1]; }
//// a template of half | k<__half>
#include <cuda_fp16.h>
template <class T> __global__ void k(T* x) { T s = T(0.0f); for (int i = 0; i < 4; ++i) s += x[i] * x[i]; x[0] = s; }
//// bf16 arithmetic
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16* x) { x[0] = x[1] + x[2] * x[3] - x[4] / x[5]; x[1] += x[2]; x[3] = -x[4]; if (x[0] < x[1]) ++x[0]; }
//// bf16 functions
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16* x) { x[0] = hsqrt(x[1]) + hexp(x[2]) + hlog(x[3]) + hsin(x[4]) + hrcp(x[5]) + hfloor(x[6]) + __hmax(x[1], x[2]) + __hfma(x[1], x[2], x[3]) + __habs(x[4]); }
//// bf16 conversions
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16* x, float* y, int* z) { x[0] = __float2bfloat16(1.5f); y[0] = __bfloat162float(x[1]); z[0] = __bfloat162int_rn(x[2]); x[3] = __int2bfloat16_rn(3); x[4] = __float2bfloat16_rz(y[1]); x[5] = __ushort_as_bfloat16(0x3f80); x[6] = 2.5f; y[2] = x[7]; x[7] = __double2bfloat16(1.5); }
//// bf16 in pairs
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat162* x, float2* y) { x[0] = __hadd2(x[1], x[2]); x[1] = __floats2bfloat162_rn(1, 2); y[0] = __bfloat1622float2(x[3]); x[2] = __hfma2(x[0], x[1], x[2]); x[3] = h2exp(x[4]); x[4] = x[5] * x[6]; x[5].x = __low2bfloat16(x[6]); x[6] = __halves2bfloat162(x[1].x, x[2].y); x[7] = make_bfloat162(x[1].x, x[2].y); }
//// bf16 comparisons
#include <cuda_bf16.h>
__global__ void k(int* z, __nv_bfloat16* x, __nv_bfloat162* y) { z[0] = __heq(x[0], x[1]) + __hgt(x[0], x[1]) + __hltu(x[0], x[1]) + __hbeq2(y[0], y[1]) + __hisnan(x[0]) + (x[0] == x[1]); }
//// bf16 by its other names
#include <cuda_bf16.h>
__global__ void k(nv_bfloat16* x, nv_bfloat162* y) { x[0] = __nv_bfloat16(1.0f); y[0].y = x[0]; }
//// a shuffle and a load of bf16
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16* x) { x[0] = __shfl_down_sync(0xffffffff, __ldg(x + 1), 1); }
//// a template of bf16 | k<__nv_bfloat16>
#include <cuda_bf16.h>
template <class T> __global__ void k(T* x) { T s = T(0.0f); for (int i = 0; i < 4; ++i) s += x[i] * x[i]; x[0] = s; }
//// half and bf16 in one text
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(__half* x, __nv_bfloat16* y) { x[0] = __float2half(__bfloat162float(y[0])); y[1] = __float2bfloat16(__half2float(x[1])); x[2] = __hadd(x[3], x[4]); y[2] = __hadd(y[3], y[4]); }
//// bf16 without its header
__global__ void k(__nv_bfloat16* x) { x[0] = x[1]; }
//// complex arithmetic
__global__ void k(complex<float>* z, float s) { z[0] = z[1] * z[2] + z[3] / z[4] - s * z[5]; z[1] += z[2]; if (z[0] == z[1]) z[2] = complex<float>(1, 2); }
//// complex functions
__global__ void k(complex<double>* z, double* x) { x[0] = abs(z[0]) + arg(z[1]) + norm(z[2]) + z[3].real() + z[4].imag(); z[5] = conj(z[6]) + exp(z[7]) + sqrt(z[8]) + log(z[9]) + pow(z[1], 2.0) + sin(z[2]); }
//// a complex number in shared memory
__global__ void k(complex<float>* z) { __shared__ complex<float> s[32]; s[threadIdx.x] = z[0]; __syncthreads(); z[1] = s[0]; }
//// complex of mixed types
__global__ void k(complex<float>* z, double d, int n) { z[0] = z[1] * 2.0f + n; z[2] = complex<float>(z[3]); }
//// a complex class of one's own
template <class T> struct complex { T re, im; };
__global__ void k(complex<float>* z) { z[0].re = z[1].im; }
//// std::complex
__global__ void k(float* x) { std::complex<float> z(1, 2); x[0] = z.real(); }
//// cuComplex
#include <cuComplex.h>
__global__ void k(cuDoubleComplex* z, float* x) { z[0] = cuCadd(z[1], cuCdiv(z[2], z[3])); cuComplex w = make_cuComplex(1, 2); x[0] = cuCabsf(w) + cuCrealf(w) + cuCimagf(cuConjf(w)); z[4] = cuCfma(z[1], z[2], z[3]); }
