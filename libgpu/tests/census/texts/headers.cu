// SPDX-License-Identifier: MIT
//// C headers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdint.h>
#include <stddef.h>
#include <limits.h>
#include <float.h>
#include <assert.h>
#include <stdbool.h>
__global__ void k(uint8_t* x, int32_t n) { assert(n > 0); printf("%d\n", n); x[0] = (uint8_t)sqrtf(n); }
//// C++ names of C headers
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cmath>
#include <cstdint>
#include <cstddef>
#include <climits>
#include <cfloat>
#include <cassert>
__global__ void k(uint64_t* x, int16_t n) { x[0] = (uint64_t)fabsf(n) + INT_MAX + (uint64_t)FLT_MAX; }
//// CUDA's own
#include <cuda.h>
#include <cuda_runtime.h>
#include <cuda_runtime_api.h>
#include <device_launch_parameters.h>
#include <vector_types.h>
#include <vector_functions.h>
__global__ void k(float4* x) { x[0] = make_float4(1, 2, 3, 4); }
//// in quotes
#include "cuda_runtime.h"
#include "device_launch_parameters.h"
#include "stdio.h"
__global__ void k(float* x) { x[0] = 1; }
//// stdint alone
#include <stdint.h>
__global__ void k(uint32_t* x) { uint32_t a = x[1]; int8_t b = 3; uint_fast8_t_unused: x[0] = a + b; }
//// fixed-width integers without a header
__global__ void k(uint32_t* x, int64_t* y, uint8_t* z, int16_t* w, uintptr_t* v, size_t n) { x[0] = n; }
//// least and fast integers
#include <cstdint>
__global__ void k(uint_least16_t* x, int_fast32_t* y) { x[0] = y[0]; }
//// limits of integers
#include <climits>
__global__ void k(long long* x) { x[0] = INT_MIN + LLONG_MAX + UINT_MAX + CHAR_BIT + SHRT_MAX + UCHAR_MAX + LONG_MAX; }
//// limits of fixed-width integers
#include <cstdint>
__global__ void k(long long* x) { x[0] = INT32_MAX + INT64_MIN + UINT8_MAX + UINT16_MAX; }
//// limits of floats
#include <cfloat>
__global__ void k(double* x) { x[0] = FLT_MAX + FLT_MIN + FLT_EPSILON + DBL_MAX + DBL_EPSILON; }
//// math constants
#include <math_constants.h>
__global__ void k(float* x) { x[0] = CUDART_PI_F + CUDART_INF_F + CUDART_NAN_F + (float)CUDART_PI; }
//// half
#include <cuda_fp16.h>
__global__ void k(__half* x) { x[0] = __hadd(x[1], x[2]); }
//// bf16
#include <cuda_bf16.h>
__global__ void k(__nv_bfloat16* x) { x[0] = __hadd(x[1], x[2]); }
//// cooperative groups
#include <cooperative_groups.h>
__global__ void k(int* x) { x[0] = cooperative_groups::this_thread_block().thread_rank(); }
//// cuComplex
#include <cuComplex.h>
__global__ void k(cuFloatComplex* x) { x[0] = cuCmulf(x[1], make_cuFloatComplex(1, 2)); }
//// vector
#include <vector>
__global__ void k(int* x) { x[0] = 1; }
//// iostream
#include <iostream>
__global__ void k(int* x) { x[0] = 1; }
//// algorithm
#include <algorithm>
__global__ void k(int* x) { x[0] = 1; }
//// thrust
#include <thrust/device_vector.h>
__global__ void k(int* x) { x[0] = 1; }
//// cub
#include <cub/cub.cuh>
__global__ void k(int* x) { x[0] = 1; }
//// curand
#include <curand_kernel.h>
__global__ void k(int* x) { x[0] = 1; }
//// curand's generators
#include <curand_kernel.h>
__global__ void k(float* x) { curandState s; curand_init(1, threadIdx.x, 0, &s); curandStatePhilox4_32_10_t p; curand_init(1, 2, 3, &p); float4 v = curand_normal4(&p); double2 w = curand_uniform2_double(&p); skipahead(3, &s); x[0] = curand(&s) + curand_uniform(&s) + curand_normal(&p) + curand_log_normal(&s, 1, 2) + v.x + w.y; }
//// a file that isn't there
#include "mine_that_is_missing.cuh"
__global__ void k(int* x) { x[0] = 1; }
//// std::sqrt
#include <cmath>
__global__ void k(float* x) { x[0] = std::sqrt(x[1]); }
//// memcpy and memset
#include <string.h>
__global__ void k(int* x) { memcpy(x, x + 4, 16); memset(x + 8, 0, 4); }
//// memcpy and memset without a header
struct P { float a; int b; };
__global__ void k(P* x) { P p; memcpy(&p, x, sizeof p); memset(x + 1, 0, sizeof p); x[2] = p; }
//// memmove
__global__ void k(int* x) { memmove(x, x + 4, 16); }
//// memcmp
__global__ void k(int* x) { x[0] = memcmp(x, x + 4, 16); }
//// strlen
__global__ void k(int* x) { x[0] = strlen("abc"); }
