// SPDX-License-Identifier: MIT
// The prelude of every kernel: qualifiers, integer types, limits. No system header: that keeps compiles short.

#pragma GCC system_header
#include "libgpu/abi.hpp"
#define __LIBGPU_HOST__ 1
// Defined as in NVRTC, so that a text takes the same branches as on a GPU: one with everything that this prelude has.
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDA_ARCH__ 800
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define CUDART_VERSION 13000
#undef __COUNTER__  // NVRTC has none
#define __device__
#define __host__
// "used": the host program may write to it, whatever this unit's kernels do.
#define __constant__ __attribute__((used))
#define __managed__
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define GPU_INLINE inline __attribute__((always_inline))
#define GPU_HOST(name) gpu_calls->name
#if defined(__clang__)
#define GPU_CONVERGENT GPU_INLINE __attribute__((convergent))
#define GPU_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define GPU_UNROLL
#else
#define GPU_CONVERGENT GPU_INLINE
#define __builtin_assume(condition) ((condition) ? (void)0 : __builtin_unreachable())
#define GPU_INDEPENDENT _Pragma("GCC ivdep")
#define GPU_UNROLL _Pragma("GCC unroll 8")
#endif

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef __INT64_TYPE__ int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef int8_t int_least8_t, int_fast8_t;
typedef int16_t int_least16_t;
typedef int32_t int_least32_t;
typedef int64_t int_least64_t, int_fast16_t, int_fast32_t, int_fast64_t, intmax_t;
typedef uint8_t uint_least8_t, uint_fast8_t;
typedef uint16_t uint_least16_t;
typedef uint32_t uint_least32_t;
typedef uint64_t uint_least64_t, uint_fast16_t, uint_fast32_t, uint_fast64_t, uintmax_t;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define NULL __null
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX __SCHAR_MAX__
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1)
#define ULONG_MAX (__LONG_MAX__ * 2ul + 1ul)
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2u + 1u)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1)
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ull + 1ull)
#define M_PI 3.14159265358979323846
#define M_E 2.7182818284590452354
#define M_SQRT2 1.41421356237309504880

template <class T> struct gpu_is_integer { static constexpr bool value = false; };
#define GPU_INTEGER(T) template <> struct gpu_is_integer<T> { static constexpr bool value = true; };
GPU_INTEGER(bool) GPU_INTEGER(char) GPU_INTEGER(signed char) GPU_INTEGER(unsigned char) GPU_INTEGER(short)
GPU_INTEGER(unsigned short) GPU_INTEGER(int) GPU_INTEGER(unsigned) GPU_INTEGER(long) GPU_INTEGER(unsigned long)
GPU_INTEGER(long long) GPU_INTEGER(unsigned long long)
#undef GPU_INTEGER
template <bool Condition, class T> struct gpu_enable {};
template <class T> struct gpu_enable<true, T> { typedef T type; };
