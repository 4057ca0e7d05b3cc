// SPDX-License-Identifier: MIT
#pragma once

#include <cuda_runtime.h>

// The words of kernels, for the host's half of a program that includes Thrust or CUB: device functions stay there,
// since functors call them. What needs a thread of a kernel ends the program, if host code calls it after all.
#ifndef __CUDA_ARCH__

#define __expf(x) expf(x)
#define __exp10f(x) exp10f(x)
#define __logf(x) logf(x)
#define __log2f(x) log2f(x)
#define __log10f(x) log10f(x)
#define __sinf(x) sinf(x)
#define __cosf(x) cosf(x)
#define __tanf(x) tanf(x)
#define __powf(x, y) powf(x, y)
#define __fsqrt_rn(x) sqrtf(x)
#define __saturatef(x) fminf(fmaxf(x, 0.0f), 1.0f)
#define __fdividef(x, y) ((x) / (y))
#define __fmaf_rn(x, y, z) fmaf(x, y, z)
#define __fma_rn(x, y, z) fma(x, y, z)

inline int __popc(unsigned x) { return __builtin_popcount(x); }
inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz(unsigned(x)); }
inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline int __mul24(int a, int b) { return a * b; }
inline int __mulhi(int a, int b) { return int(1LL * a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned(1ULL * a * b >> 32); }
inline int __float_as_int(float x) {
    int bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
inline float __int_as_float(int bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
inline int __float2int_rn(float x) { return int(rintf(x)); }
inline int __float2int_rz(float x) { return int(x); }
inline float __int2float_rn(int x) { return float(x); }
template <class T>
T __ldg(const T* at) {
    return *at;
}

// A thread's place: there is none.
inline const uint3 threadIdx{}, blockIdx{};
inline const dim3 blockDim, gridDim;
inline constexpr int warpSize = 32;
inline void __syncthreads() { __builtin_trap(); }
inline void __syncwarp(unsigned = 0xffffffffU) { __builtin_trap(); }
inline void __threadfence() { __builtin_trap(); }
inline void __threadfence_block() { __builtin_trap(); }
inline unsigned __activemask() { __builtin_trap(); }
inline unsigned __ballot_sync(unsigned, int) { __builtin_trap(); }
inline int __any_sync(unsigned, int) { __builtin_trap(); }
inline int __all_sync(unsigned, int) { __builtin_trap(); }
#define GPUCC_SHUFFLE(name, P)         \
    template <class T>                 \
    T name(unsigned, T, P, int = 32) { \
        __builtin_trap();              \
    }
GPUCC_SHUFFLE(__shfl_sync, int)
GPUCC_SHUFFLE(__shfl_up_sync, unsigned)
GPUCC_SHUFFLE(__shfl_down_sync, unsigned)
GPUCC_SHUFFLE(__shfl_xor_sync, int)
#undef GPUCC_SHUFFLE

// Thrust's algorithms call a functor for one element after another.
#define GPUCC_ATOMIC(name, value)           \
    template <class T, class U>             \
    T name(T* at, U operand) {              \
        const T old = *at, by = T(operand); \
        *at = T(value);                     \
        return old;                         \
    }
GPUCC_ATOMIC(atomicAdd, old + by)
GPUCC_ATOMIC(atomicSub, old - by)
GPUCC_ATOMIC(atomicMin, by < old ? by : old)
GPUCC_ATOMIC(atomicMax, old < by ? by : old)
GPUCC_ATOMIC(atomicExch, by)
GPUCC_ATOMIC(atomicAnd, old& by)
GPUCC_ATOMIC(atomicOr, old | by)
GPUCC_ATOMIC(atomicXor, old ^ by)
#undef GPUCC_ATOMIC
template <class T>
T atomicCAS(T* at, T compared, T value) {
    const T old = *at;
    if (old == compared) *at = value;
    return old;
}

#endif
