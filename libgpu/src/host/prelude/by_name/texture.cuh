// SPDX-License-Identifier: MIT
// Textures: tex1Dfetch(), tex1D() and tex2D(). libgpu determines which texels a call reads; the kernel itself reads
// them, so check mode sees it.

#pragma GCC system_header
#pragma once
typedef unsigned long long cudaTextureObject_t;

// The types that texels can be read as.
template <class T> struct gpu_texel { static constexpr unsigned channels = 0; };
#define GPU_TEXEL(T, E, n, k, ...) \
    template <> struct gpu_texel<T> { \
        typedef E element; \
        static constexpr unsigned channels = n, kind = k; \
        GPU_INLINE static T made(const E* v) { return __VA_ARGS__; } \
    };
#define GPU_TEXELS(E, name, kind) \
    GPU_TEXEL(E, E, 1, kind, v[0]) GPU_TEXEL(name##1, E, 1, kind, {v[0]}) GPU_TEXEL(name##2, E, 2, kind, {v[0], v[1]}) \
    GPU_TEXEL(name##4, E, 4, kind, {v[0], v[1], v[2], v[3]})
GPU_TEXELS(float, float, gpu_texel_float)
GPU_TEXELS(signed char, char, gpu_texel_int8) GPU_TEXELS(unsigned char, uchar, gpu_texel_uint8)
GPU_TEXELS(short, short, gpu_texel_int16) GPU_TEXELS(unsigned short, ushort, gpu_texel_uint16)
GPU_TEXELS(int, int, gpu_texel_int32) GPU_TEXELS(unsigned, uint, gpu_texel_uint32)
GPU_TEXEL(char, signed char, 1, gpu_texel_int8, (char)v[0])
#undef GPU_TEXELS
#undef GPU_TEXEL

GPU_UNCHECKED inline const char* gpu_find_texels(const gpu_fetch* fetch, gpu_texels* texels) {
    return GPU_HOST(texels)(fetch, texels);
}
// One channel of a texel as a float.
GPU_INLINE float gpu_channel(const gpu_texels& texels, const void* texel, unsigned c) {
    switch (texels.kind) {
        case gpu_texel_uint8: return ((const unsigned char*)texel)[c] / 255.0f;
        case gpu_texel_uint16: return ((const unsigned short*)texel)[c] / 65535.0f;
        case gpu_texel_int8: {
            const float v = ((const signed char*)texel)[c] / 127.0f;
            return v < -1.0f ? -1.0f : v;
        }
        case gpu_texel_int16: {
            const float v = ((const short*)texel)[c] / 32767.0f;
            return v < -1.0f ? -1.0f : v;
        }
        default: return ((const float*)texel)[c];
    }
}
template <class T> GPU_INLINE T gpu_fetched(const gpu_fetch& fetch, int line, const char* file) {
    typedef gpu_texel<T> Texel;
    typedef typename Texel::element E;
    gpu_texels texels;
    if (const char* const wrong = gpu_find_texels(&fetch, &texels)) gpu_fail(wrong, file, line, threadIdx);
    E values[Texel::channels];
    for (unsigned c = 0; c < Texel::channels; ++c) {
        if constexpr (Texel::kind == gpu_texel_float) {
            values[c] = 0;
            for (int k = 0; k < texels.count; ++k)
                values[c] += texels.weight[k] * gpu_channel(texels, texels.texel[k], c);
        } else {
            values[c] = texels.count == 0 ? (E)0 : ((const E*)texels.texel[0])[c];
        }
    }
    return Texel::made(values);
}
template <class T>
GPU_INLINE T gpu_fetch_by(unsigned function, cudaTextureObject_t texture, int index, float x, float y, int line,
                          const char* file) {
    static_assert(gpu_texel<T>::channels != 0,
                  "texels are float, int, unsigned, short, unsigned short, signed or unsigned char, or vectors of 2 or "
                  "4 of these");
    const gpu_fetch fetch = {texture, function, gpu_texel<T>::kind, gpu_texel<T>::channels, index, x, y};
    return gpu_fetched<T>(fetch, line, file);
}
#define GPU_PLACE int line = __builtin_LINE(), const char* file = __builtin_FILE()
/// Texel x of a texture in linear memory; 0 outside it.
template <class T> GPU_INLINE T tex1Dfetch(cudaTextureObject_t texture, int x, GPU_PLACE) {
    return gpu_fetch_by<T>(gpu_fetch_tex1Dfetch, texture, x, 0, 0, line, file);
}
/// A one-axis texture at x: texel k extends from k to k + 1, with its centre at k + 0.5.
template <class T> GPU_INLINE T tex1D(cudaTextureObject_t texture, float x, GPU_PLACE) {
    return gpu_fetch_by<T>(gpu_fetch_tex1D, texture, 0, x, 0, line, file);
}
/// A two-axis texture at x, along its rows, and y: the centre of texel (row, column) is (column + 0.5, row + 0.5).
template <class T> GPU_INLINE T tex2D(cudaTextureObject_t texture, float x, float y, GPU_PLACE) {
    return gpu_fetch_by<T>(gpu_fetch_tex2D, texture, 0, x, y, line, file);
}
template <class T> GPU_INLINE void tex1Dfetch(T* result, cudaTextureObject_t texture, int x, GPU_PLACE) {
    *result = gpu_fetch_by<T>(gpu_fetch_tex1Dfetch, texture, x, 0, 0, line, file);
}
template <class T> GPU_INLINE void tex1D(T* result, cudaTextureObject_t texture, float x, GPU_PLACE) {
    *result = gpu_fetch_by<T>(gpu_fetch_tex1D, texture, 0, x, 0, line, file);
}
template <class T> GPU_INLINE void tex2D(T* result, cudaTextureObject_t texture, float x, float y, GPU_PLACE) {
    *result = gpu_fetch_by<T>(gpu_fetch_tex2D, texture, 0, x, y, line, file);
}
#undef GPU_PLACE
