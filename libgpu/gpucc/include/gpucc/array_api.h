// SPDX-License-Identifier: MIT
#pragma once

// CUDA arrays, memory in three axes and texture objects: the functions, included by cuda_runtime_api.h.

GPUCC_API cudaError_t cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* format, size_t width,
                                      size_t height = 0, unsigned int flags = 0, GPUCC_PLACE);
GPUCC_API cudaError_t cudaFreeArray(cudaArray_t array, GPUCC_PLACE);
GPUCC_API cudaError_t cudaArrayGetInfo(cudaChannelFormatDesc* format, cudaExtent* extent, unsigned int* flags,
                                       cudaArray_t array, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGetChannelDesc(cudaChannelFormatDesc* format, cudaArray_const_t array, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t column, size_t row, const void* from, size_t pitch,
                                          size_t width, size_t height, cudaMemcpyKind kind, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t column, size_t row, const void* from,
                                               size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                               cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t column, size_t row,
                                            size_t width, size_t height, cudaMemcpyKind kind, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t column,
                                                 size_t row, size_t width, size_t height, cudaMemcpyKind kind,
                                                 cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_column, size_t to_row, cudaArray_const_t from,
                                               size_t from_column, size_t from_row, size_t width, size_t height,
                                               cudaMemcpyKind kind = cudaMemcpyDeviceToDevice, GPUCC_PLACE);
/// Copies bytes that may go on in the next row. CUDA has it still, and calls it deprecated.
GPUCC_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t column, size_t row, const void* from, size_t bytes,
                                        cudaMemcpyKind kind, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t column, size_t row, size_t bytes,
                                          cudaMemcpyKind kind, GPUCC_PLACE);

GPUCC_API cudaError_t cudaMalloc3D(cudaPitchedPtr* memory, cudaExtent extent, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy3D(const cudaMemcpy3DParms* copy, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemcpy3DAsync(const cudaMemcpy3DParms* copy, cudaStream_t stream = nullptr, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemset3D(cudaPitchedPtr memory, int value, cudaExtent extent, GPUCC_PLACE);
GPUCC_API cudaError_t cudaMemset3DAsync(cudaPitchedPtr memory, int value, cudaExtent extent,
                                        cudaStream_t stream = nullptr, GPUCC_PLACE);

GPUCC_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t* texture, const cudaResourceDesc* resource,
                                              const cudaTextureDesc* options, const cudaResourceViewDesc* view,
                                              GPUCC_PLACE);
GPUCC_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t texture, GPUCC_PLACE);
GPUCC_API cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource, cudaTextureObject_t texture,
                                                       GPUCC_PLACE);
GPUCC_API cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* options, cudaTextureObject_t texture,
                                                      GPUCC_PLACE);

inline cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, cudaChannelFormatKind kind) {
    return {x, y, z, w, kind};
}

namespace gpucc {

/// The components of a texel of type T: their type, how many.
template <class T>
struct Texel {
    using Element = T;
    static constexpr int channels = 1;
};
#define GPUCC_TEXELS(T, name)              \
    template <>                            \
    struct Texel<name##1> {                \
        using Element = T;                 \
        static constexpr int channels = 1; \
    };                                     \
    template <>                            \
    struct Texel<name##2> {                \
        using Element = T;                 \
        static constexpr int channels = 2; \
    };                                     \
    template <>                            \
    struct Texel<name##4> {                \
        using Element = T;                 \
        static constexpr int channels = 4; \
    };
GPUCC_TEXELS(signed char, char)
GPUCC_TEXELS(unsigned char, uchar)
GPUCC_TEXELS(short, short)
GPUCC_TEXELS(unsigned short, ushort)
GPUCC_TEXELS(int, int)
GPUCC_TEXELS(unsigned int, uint)
GPUCC_TEXELS(float, float)
#undef GPUCC_TEXELS

}  // namespace gpucc

template <class T>
cudaChannelFormatDesc cudaCreateChannelDesc() {
    using Element = typename gpucc::Texel<T>::Element;
    constexpr bool has_fraction = Element(0.5) != Element(0), is_signed = Element(-1) < Element(0);
    constexpr int bits = int(sizeof(Element)) * 8, channels = gpucc::Texel<T>::channels;
    return {bits, channels > 1 ? bits : 0, channels > 2 ? bits : 0, channels > 2 ? bits : 0,
            has_fraction ? cudaChannelFormatKindFloat
            : is_signed  ? cudaChannelFormatKindSigned
                         : cudaChannelFormatKindUnsigned};
}
