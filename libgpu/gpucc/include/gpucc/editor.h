// SPDX-License-Identifier: MIT
// For clangd and other tools that read plain CUDA as clang does, with `-xcuda --cuda-host-only -nocudainc -nocudalib
// -include gpucc/editor.h`: what nvcc and gpucc know of device code without an #include. Nothing here is compiled.
#pragma once

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __forceinline__ inline __attribute__((always_inline))
#define __grid_constant__
#define __CUDACC__
#define __NVCC__
#define __GPUCC__

#include <assert.h>
#include <cuda_runtime.h>

// Math for kernels: clang's own list.
#include <__clang_cuda_math_forward_declares.h>

extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared = 0, cudaStream_t stream = 0);

/// The thread's index in its block.
extern __device__ const uint3 threadIdx;
/// The block's index in the grid.
extern __device__ const uint3 blockIdx;
/// The lengths of a block.
extern __device__ const dim3 blockDim;
/// The lengths of the grid.
extern __device__ const dim3 gridDim;
extern __device__ const int warpSize;

// Waiting, and who sees what was written.
/// Waits until all threads of the block are here, and see what they wrote.
__device__ void __syncthreads();
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
/// Waits until these lanes of the warp are here, and see what they wrote.
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ void __trap();
__device__ void __nanosleep(unsigned nanoseconds);
__device__ long long clock64();
__device__ clock_t clock();
__device__ int printf(const char* format, ...);
__device__ void* malloc(size_t bytes);
__device__ void free(void* memory);
__device__ void* memcpy(void* to, const void* from, size_t bytes);
__device__ void* memset(void* to, int byte, size_t bytes);
__device__ void __assert_fail(const char* text, const char* file, unsigned line, const char* function);

// Between the lanes of a warp.
/// The value that lane `source` gives.
template <class T>
__device__ T __shfl_sync(unsigned mask, T value, int source, int width = 32);
/// The value of the lane `delta` below.
template <class T>
__device__ T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32);
/// The value of the lane `delta` above.
template <class T>
__device__ T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32);
/// The value of the lane whose number is this one's XOR `other`.
template <class T>
__device__ T __shfl_xor_sync(unsigned mask, T value, int other, int width = 32);
/// A bit for each lane, 1 where the predicate isn't 0.
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ int __any_sync(unsigned mask, int predicate);
__device__ int __all_sync(unsigned mask, int predicate);
__device__ unsigned __activemask();
template <class T>
__device__ unsigned __match_any_sync(unsigned mask, T value);
template <class T>
__device__ unsigned __match_all_sync(unsigned mask, T value, int* predicate);
template <class T>
__device__ T __reduce_add_sync(unsigned mask, T value);
template <class T>
__device__ T __reduce_min_sync(unsigned mask, T value);
template <class T>
__device__ T __reduce_max_sync(unsigned mask, T value);

// Atomic operations: each returns what was there before. The second parameter takes what converts to T.
namespace gpucc {
template <class T>
struct Same {
    typedef T type;
};
}  // namespace gpucc
#define GPUCC_ATOMIC(name) \
    template <class T>     \
    __device__ T name(T* address, typename gpucc::Same<T>::type value);
#define GPUCC_ATOMICS(name) GPUCC_ATOMIC(name) GPUCC_ATOMIC(name##_block) GPUCC_ATOMIC(name##_system)
GPUCC_ATOMICS(atomicAdd)
GPUCC_ATOMICS(atomicSub)
GPUCC_ATOMICS(atomicExch)
GPUCC_ATOMICS(atomicMin)
GPUCC_ATOMICS(atomicMax)
GPUCC_ATOMICS(atomicAnd)
GPUCC_ATOMICS(atomicOr)
GPUCC_ATOMICS(atomicXor)
GPUCC_ATOMICS(atomicInc)
GPUCC_ATOMICS(atomicDec)
#undef GPUCC_ATOMICS
#undef GPUCC_ATOMIC
template <class T>
__device__ T atomicCAS(T* address, typename gpucc::Same<T>::type compare, typename gpucc::Same<T>::type value);

// Memory and bits.
/// Reads *p, which no thread writes while the kernel runs.
template <class T>
__device__ T __ldg(const T* p);
__device__ int __popc(unsigned x);
__device__ int __popcll(unsigned long long x);
__device__ int __clz(int x);
__device__ int __clzll(long long x);
__device__ int __ffs(int x);
__device__ int __ffsll(long long x);
__device__ unsigned __brev(unsigned x);
__device__ int __float_as_int(float x);
__device__ unsigned __float_as_uint(float x);
__device__ float __int_as_float(int x);
__device__ float __uint_as_float(unsigned x);
__device__ long long __double_as_longlong(double x);
__device__ double __longlong_as_double(long long x);
__device__ int __mul24(int x, int y);
__device__ int __mulhi(int x, int y);
__device__ unsigned __umulhi(unsigned x, unsigned y);

// Of whole numbers those of cuda_runtime.h are for both sides.
__device__ float min(float a, float b);
__device__ float max(float a, float b);
__device__ double min(double a, double b);
__device__ double max(double a, double b);
__device__ double min(float a, double b);
__device__ double max(float a, double b);
__device__ double min(double a, float b);
__device__ double max(double a, float b);

// Faster, less exact.
__device__ float __expf(float x);
__device__ float __exp10f(float x);
__device__ float __logf(float x);
__device__ float __log2f(float x);
__device__ float __sinf(float x);
__device__ float __cosf(float x);
__device__ float __tanf(float x);
__device__ float __powf(float x, float y);
__device__ float __fdividef(float x, float y);
__device__ float __saturatef(float x);
__device__ float __frcp_rn(float x);
__device__ float __fsqrt_rn(float x);
__device__ float __fadd_rn(float x, float y);
__device__ float __fmul_rn(float x, float y);
__device__ float __fmaf_rn(float x, float y, float z);
__device__ void sincospif(float x, float* sine, float* cosine);
__device__ float sinpif(float x);
__device__ float cospif(float x);
__device__ float normcdff(float x);
