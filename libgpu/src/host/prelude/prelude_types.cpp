// SPDX-License-Identifier: MIT
#include "host/prelude/prelude.hpp"

// The part of the prelude that every kernel gets: qualifiers, integer types, limits. No system header: that is what
// makes a compile short.
namespace gpu::detail::host::text {

const char types[] = R"gpu(
#pragma GCC system_header
#include "libgpu/abi.hpp"
#define __LIBGPU_HOST__ 1
// As NVRTC defines them, so that a text takes the same branches as on a GPU: one with all that this prelude has.
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
// "used": the host program may write to it, whatever the kernels of this unit do.
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
)gpu";

// CUDA's short vector types. Their sizes and alignments are CUDA's; as there, they have no operators.

const char vectors[] = R"gpu(
#pragma GCC system_header
#define GPU_VECTOR(T, name, a1, a2, a4) \
    struct __attribute__((aligned(a1))) name##1 { T x; }; \
    struct __attribute__((aligned(a2))) name##2 { T x, y; }; \
    struct __attribute__((aligned(a1))) name##3 { T x, y, z; }; \
    struct __attribute__((aligned(a4))) name##4 { T x, y, z, w; }; \
    GPU_INLINE name##1 make_##name##1(T x) { return {x}; } \
    GPU_INLINE name##2 make_##name##2(T x, T y) { return {x, y}; } \
    GPU_INLINE name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    GPU_INLINE name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
GPU_VECTOR(signed char, char, 1, 2, 4) GPU_VECTOR(unsigned char, uchar, 1, 2, 4)
GPU_VECTOR(short, short, 2, 4, 8) GPU_VECTOR(unsigned short, ushort, 2, 4, 8)
GPU_VECTOR(int, int, 4, 8, 16) GPU_VECTOR(float, float, 4, 8, 16)
GPU_VECTOR(long, long, 8, 16, 16) GPU_VECTOR(unsigned long, ulong, 8, 16, 16)
GPU_VECTOR(long long, longlong, 8, 16, 16) GPU_VECTOR(unsigned long long, ulonglong, 8, 16, 16)
GPU_VECTOR(double, double, 8, 16, 16)
// Since CUDA 13: the large ones with their alignment in the name.
#define GPU_VECTOR_ALIGNED(T, name, a) \
    struct __attribute__((aligned(a))) name##4_##a##a { T x, y, z, w; }; \
    GPU_INLINE name##4_##a##a make_##name##4_##a##a(T x, T y, T z, T w) { return {x, y, z, w}; }
#define GPU_VECTOR_LARGE(T, name) GPU_VECTOR_ALIGNED(T, name, 16) GPU_VECTOR_ALIGNED(T, name, 32)
GPU_VECTOR_LARGE(long, long) GPU_VECTOR_LARGE(unsigned long, ulong) GPU_VECTOR_LARGE(long long, longlong)
GPU_VECTOR_LARGE(unsigned long long, ulonglong) GPU_VECTOR_LARGE(double, double)
#undef GPU_VECTOR_LARGE
#undef GPU_VECTOR_ALIGNED
#undef GPU_VECTOR
// uint3 is threadIdx's type, known to libgpu.
struct uint1 { unsigned x; };
struct __attribute__((aligned(8))) uint2 { unsigned x, y; };
struct __attribute__((aligned(16))) uint4 { unsigned x, y, z, w; };
GPU_INLINE uint1 make_uint1(unsigned x) { return {x}; }
GPU_INLINE uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
GPU_INLINE uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
GPU_INLINE uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
)gpu";

// What <math_constants.h> is on a GPU, the part that kernels use.
const char constants[] = R"gpu(
#pragma GCC system_header
#pragma once
#define CUDART_INF_F __builtin_inff()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_MIN_DENORM_F 1.401298464e-45f
#define CUDART_MAX_NORMAL_F 3.402823466e38f
#define CUDART_NEG_ZERO_F -0.0f
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_SQRT_HALF_F 0.707106781f
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_SQRT_THREE_F 1.732050808f
#define CUDART_THIRD_F 0.333333333f
#define CUDART_PIO4_F 0.785398163f
#define CUDART_PIO2_F 1.570796327f
#define CUDART_3PIO4_F 2.356194490f
#define CUDART_2_OVER_PI_F 0.636619772f
#define CUDART_SQRT_2_OVER_PI_F 0.797884561f
#define CUDART_PI_F 3.141592654f
#define CUDART_L2E_F 1.442695041f
#define CUDART_L2T_F 3.321928094f
#define CUDART_LG2_F 0.301029996f
#define CUDART_LGE_F 0.434294482f
#define CUDART_LN2_F 0.693147181f
#define CUDART_LNT_F 2.302585093f
#define CUDART_LNPI_F 1.144729886f
#define CUDART_INF __builtin_inf()
#define CUDART_NAN __builtin_nan("")
#define CUDART_NEG_ZERO -0.0
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_SQRT_TWO 1.4142135623730951
#define CUDART_SQRT_HALF 0.70710678118654757
#define CUDART_THIRD 0.33333333333333333
#define CUDART_PIO4 0.78539816339744828
#define CUDART_PIO2 1.5707963267948966
#define CUDART_3PIO4 2.3561944901923448
#define CUDART_2_OVER_PI 0.63661977236758138
#define CUDART_PI 3.1415926535897931
#define CUDART_L2E 1.4426950408889634
#define CUDART_LG2 0.30102999566398120
#define CUDART_LGE 0.43429448190325182
#define CUDART_LN2 0.69314718055994529
#define CUDART_LNT 2.3025850929940459
#define CUDART_LNPI 1.1447298858494002
)gpu";

// Types of CUDA's runtime, which NVRTC knows, too: structures of a text may have members of them for its host part.

const char runtime_types[] = R"gpu(
#pragma GCC system_header
#pragma once
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUmemPoolHandle_st* cudaMemPool_t;
typedef struct CUfunc_st* cudaFunction_t;
typedef struct cudaArray* cudaArray_t;
typedef const struct cudaArray* cudaArray_const_t;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef struct cudaGraphicsResource* cudaGraphicsResource_t;
typedef void (*cudaHostFn_t)(void*);

enum cudaError {
    cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2, cudaErrorInitializationError = 3,
    cudaErrorInvalidConfiguration = 9, cudaErrorInvalidDevice = 101, cudaErrorNotReady = 600,
    cudaErrorIllegalAddress = 700, cudaErrorLaunchFailure = 719, cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
enum cudaChannelFormatKind { cudaChannelFormatKindSigned, cudaChannelFormatKindUnsigned, cudaChannelFormatKindFloat };
enum cudaMemAllocationHandleType {
    cudaMemHandleTypeNone = 0, cudaMemHandleTypePosixFileDescriptor = 1, cudaMemHandleTypeFabric = 8
};

struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void* ptr; size_t pitch, xsize, ysize; };
struct cudaChannelFormatDesc { int x, y, z, w; enum cudaChannelFormatKind f; };
struct cudaMemPoolPtrExportData { unsigned char reserved[64]; };
typedef struct cudaIpcMemHandle_st { char reserved[64]; } cudaIpcMemHandle_t;
typedef struct cudaIpcEventHandle_st { char reserved[64]; } cudaIpcEventHandle_t;
)gpu";

}  // namespace gpu::detail::host::text
