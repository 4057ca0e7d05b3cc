// SPDX-License-Identifier: MIT
// CUDA's short vector types. Their sizes and alignments are CUDA's; as there, they have no operators.
#include "host/prelude/prelude.hpp"

namespace gpu::detail::host::text {

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

}  // namespace gpu::detail::host::text
