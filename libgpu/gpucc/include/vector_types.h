// SPDX-License-Identifier: MIT
#pragma once
#define __VECTOR_TYPES_H__

// CUDA's short vectors with their sizes and alignments, and make_float4() and its like.
#define GPUCC_VECTORS(T, name, align2, align4)                                   \
    struct name##1 {                                                             \
        T x;                                                                     \
    };                                                                           \
    struct alignas(align2) name##2 {                                             \
        T x, y;                                                                  \
    };                                                                           \
    struct name##3 {                                                             \
        T x, y, z;                                                               \
    };                                                                           \
    struct alignas(align4) name##4 {                                             \
        T x, y, z, w;                                                            \
    };                                                                           \
    inline constexpr name##1 make_##name##1(T x) { return {x}; }                 \
    inline constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
    inline constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
    inline constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
GPUCC_VECTORS(signed char, char, 2, 4)
GPUCC_VECTORS(unsigned char, uchar, 2, 4)
GPUCC_VECTORS(short, short, 4, 8)
GPUCC_VECTORS(unsigned short, ushort, 4, 8)
GPUCC_VECTORS(int, int, 8, 16)
GPUCC_VECTORS(unsigned int, uint, 8, 16)
GPUCC_VECTORS(long, long, 16, 16)
GPUCC_VECTORS(unsigned long, ulong, 16, 16)
GPUCC_VECTORS(long long, longlong, 16, 16)
GPUCC_VECTORS(unsigned long long, ulonglong, 16, 16)
GPUCC_VECTORS(float, float, 8, 16)
GPUCC_VECTORS(double, double, 16, 16)
#undef GPUCC_VECTORS

/// The lengths of a grid or a block; those that aren't given are 1.
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 lengths) : x(lengths.x), y(lengths.y), z(lengths.z) {}
    constexpr operator uint3() const { return {x, y, z}; }
};
