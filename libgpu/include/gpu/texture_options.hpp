// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace gpu {

/// What a texture gives for coordinates outside of it; along each axis for itself.
enum class TextureAddressing : std::uint8_t {
    clamp,   ///< the texel at the edge
    border,  ///< 0
    wrap,    ///< the texels again from the start; needs normalized coordinates, else it is clamp, as in CUDA
    mirror   ///< the texels again, there and back; needs normalized coordinates, too
};

/// What a texture gives between the middles of its texels.
enum class TextureFilter : std::uint8_t {
    nearest,  ///< the texel that the coordinates lie in: CUDA's cudaFilterModePoint
    linear    ///< the two (2-D: four) nearest texels, each weighed in steps of 1/256
};

/// How a texture is read, see gpu::Texture.
struct TextureOptions {
    TextureAddressing addressing = TextureAddressing::clamp;
    TextureFilter filter = TextureFilter::nearest;
    /// Coordinates run from 0 to 1 over each axis, not from 0 to its length.
    bool normalized_coordinates = false;
    /// Kernels read elements of 8 and 16 bits as floats in [0, 1], signed ones in [-1, 1].
    bool normalized_values = false;
    /// For tex1Dfetch(), which reads linear memory. tex1D() and tex2D() read what CUDA calls an array.
    bool linear_memory = false;
    /// 2 or 4: the array's last axis, which is so long, makes the texels: vectors such as float2 and float4.
    int channels = 1;
};

}  // namespace gpu
