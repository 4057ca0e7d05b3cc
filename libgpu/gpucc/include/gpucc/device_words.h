// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

// Device code's words, for functors in the host's half of a program that uses Thrust: its algorithms call functors in
// host code. What kernels alone call is compiled with them and never called, so these have no definitions.

extern const uint3 threadIdx, blockIdx;
extern const dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;

void __syncthreads();
void __syncwarp(unsigned int mask = 0xffffffffU);
void __threadfence();
void __threadfence_block();
void __threadfence_system();
unsigned int __activemask();
unsigned int __ballot_sync(unsigned int mask, int predicate);
int __all_sync(unsigned int mask, int predicate);
int __any_sync(unsigned int mask, int predicate);
template <class T>
T __ldg(const T* address);
#define GPUCC_DEVICE_ATOMIC(name) \
    template <class T, class U>   \
    T name(T* address, U value);
GPUCC_DEVICE_ATOMIC(atomicAdd)
GPUCC_DEVICE_ATOMIC(atomicSub)
GPUCC_DEVICE_ATOMIC(atomicMin)
GPUCC_DEVICE_ATOMIC(atomicMax)
GPUCC_DEVICE_ATOMIC(atomicAnd)
GPUCC_DEVICE_ATOMIC(atomicOr)
GPUCC_DEVICE_ATOMIC(atomicXor)
GPUCC_DEVICE_ATOMIC(atomicExch)
#undef GPUCC_DEVICE_ATOMIC
template <class T, class U, class V>
T atomicCAS(T* address, U expected, V value);
#define GPUCC_DEVICE_SHUFFLE(name) \
    template <class T>             \
    T name(unsigned int mask, T value, int lane, int width = 32);
GPUCC_DEVICE_SHUFFLE(__shfl_sync)
GPUCC_DEVICE_SHUFFLE(__shfl_up_sync)
GPUCC_DEVICE_SHUFFLE(__shfl_down_sync)
GPUCC_DEVICE_SHUFFLE(__shfl_xor_sync)
#undef GPUCC_DEVICE_SHUFFLE
