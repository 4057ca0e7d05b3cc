// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

/// A CUDA array: texels in device memory, row after row without gaps.
struct cudaArray {
    cudaChannelFormatDesc format;
    std::size_t width, height;  ///< in texels; height 0: one axis
    unsigned int flags;
    void* memory;

    [[nodiscard]] std::size_t texel_bytes() const {
        return static_cast<std::size_t>(format.x + format.y + format.z + format.w) / 8;
    }
    [[nodiscard]] std::size_t row_bytes() const { return width * texel_bytes(); }
    [[nodiscard]] std::size_t rows() const { return height == 0 ? 1 : height; }
};

namespace gpucc {

/// True for an array that exists.
[[nodiscard]] bool is_array(cudaArray_const_t array);
/// "": texels can have this format.
[[nodiscard]] const char* wrong_format(const cudaChannelFormatDesc& format);

}  // namespace gpucc
