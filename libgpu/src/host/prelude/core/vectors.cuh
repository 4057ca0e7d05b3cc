// SPDX-License-Identifier: MIT
// CUDA's short vector types, with CUDA's sizes and alignments; as in CUDA, they have no operators.

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
