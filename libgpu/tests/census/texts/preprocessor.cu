// SPDX-License-Identifier: MIT
//// a constant
#define N 32
__global__ void k(int* x) { x[0] = N; }
//// a function-like macro
#define INDEX(i, j, n) ((i) * (n) + (j))
__global__ void k(int* x) { x[INDEX(1, 2, 3)] = 1; }
//// several lines
#define SWAP(a, b) \
    do { \
        auto t = a; \
        a = b; \
        b = t; \
    } while (0)
__global__ void k(int* x) { SWAP(x[0], x[1]); }
//// variadic
#define SUM(first, ...) (first + __VA_ARGS__)
__global__ void k(int* x) { x[0] = SUM(1, 2); }
//// paste and quote
#define NAME(a) value_##a
#define TEXT(a) #a
__global__ void k(char* x) { char NAME(one) = TEXT(abc)[1]; x[0] = value_one; }
//// a kernel in #ifndef
#ifndef WITHOUT
__global__ void k(int* x) { x[0] = 1; }
#endif
//// a kernel in #if
#define VERSION 2
#if VERSION > 1
__global__ void k(int* x) { x[0] = 2; }
#else
__global__ void k(int* x) { x[0] = 1; }
#endif
//// a kernel made by a macro
#define KERNEL(name, op) __global__ void name(int* x) { x[0] = x[1] op x[2]; }
KERNEL(k, +)
KERNEL(other, *)
//// a kernel with a pasted name | k_float
#define KERNEL(T) __global__ void k_##T(T* x) { x[0] = x[1]; }
KERNEL(float)
KERNEL(int)
//// a kernel's head by a macro
#define KERNEL(name) extern "C" __global__ void name(int* x)
KERNEL(k) { x[0] = 1; }
//// __CUDACC__ and __CUDA_ARCH__
#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
__global__ void k(int* x) { x[0] = __CUDA_ARCH__; }
#endif
//// __CUDACC_RTC__
#ifndef __CUDACC_RTC__
#include <vector>
#endif
__global__ void k(int* x) { x[0] = 1; }
//// a function of the host program behind #ifndef
#ifndef HEADER_H
#define HEADER_H
#ifndef __CUDACC_RTC__
float host_only(float x) { return x; }
static int calls = 0;
#endif
__global__ void k(int* x) { x[0] = 1; }
#endif
//// a function of the host in an include guard
#ifndef HEADER_H
#define HEADER_H
float host_too(float x) { return x; }
__global__ void k(int* x) { x[0] = 1; }
#endif
//// an architecture's branch
__device__ int f() {
#if __CUDA_ARCH__ >= 700
    return 1;
#else
    return 0;
#endif
}
__global__ void k(int* x) { x[0] = f(); }
//// an include guard
#ifndef GUARD_H
#define GUARD_H
__global__ void k(int* x) { x[0] = 1; }
#endif
//// #pragma once
#pragma once
__global__ void k(int* x) { x[0] = 1; }
//// #undef and #line
#define A 1
#undef A
#line 100
__global__ void k(int* x) { int A = 2; x[0] = A; }
//// __COUNTER__ and __cplusplus
static_assert(__cplusplus == 201703L, "");
__global__ void k(int* x) { x[0] = __COUNTER__ + __COUNTER__; }
//// CUDA's version
#if __CUDACC_VER_MAJOR__ >= 11
__global__ void k(int* x) { x[0] = 1; }
#else
__global__ void other(int* x) { x[0] = 1; }
#endif
//// a macro called min
#define min(a, b) ((a) < (b) ? (a) : (b))
__global__ void k(int* x) { x[0] = min(x[1], x[2]); }
//// M_PI of one's own
#define M_PI 3.14159f
__global__ void k(float* x) { x[0] = M_PI; }
//// #error
#error not this one
__global__ void k(int* x) { x[0] = 1; }
//// #if without #endif
#if 1
__global__ void k(int* x) { x[0] = 1; }
//// two arguments of three
#define ADD(a, b, c) (a + b + c)
__global__ void k(int* x) { x[0] = ADD(1, 2); }
//// _Pragma
#define UNROLL _Pragma("unroll")
__global__ void k(int* x) {
    UNROLL
    for (int i = 0; i < 4; ++i) x[i] = i;
}
