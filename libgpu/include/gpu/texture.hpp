// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include <gpu/array_core.hpp>
#include <gpu/device.hpp>
#include <gpu/export.hpp>
#include <gpu/raw_kernel.hpp>
#include <gpu/shape.hpp>

namespace gpu {

/// What a texture returns for coordinates outside it, along each axis separately.
enum class TextureAddressing : std::uint8_t {
    clamp,   ///< the texel at the edge
    border,  ///< 0
    wrap,    ///< repeats the texels; needs normalized coordinates, otherwise it acts as clamp, as in CUDA
    mirror   ///< repeats the texels, mirrored every other time; needs normalized coordinates, too
};

/// What a texture returns between the centres of its texels.
enum class TextureFilter : std::uint8_t {
    nearest,  ///< the texel that the coordinates lie in: CUDA's cudaFilterModePoint
    linear    ///< the two (2-D: four) nearest texels, with weights in steps of 1/256
};

/// The options of gpu::Texture.
struct TextureOptions {
    TextureAddressing addressing = TextureAddressing::clamp;
    TextureFilter filter = TextureFilter::nearest;
    /// Coordinates run from 0 to 1 along each axis, not from 0 to its length.
    Flag normalized_coordinates = false;
    /// Kernels read 8- and 16-bit elements as floats in [0, 1], signed ones in [-1, 1].
    Flag normalized_values = false;
    /// For tex1Dfetch(), which reads linear memory. tex1D() and tex2D() read CUDA arrays.
    Flag linear_memory = false;
    /// 2 or 4: the array's last axis, of this length, holds the components of texels: vectors such as float2 and
    /// float4.
    int channels = 1;
};

/// A copy of an array's values that raw kernels read as a texture: by coordinates that may lie between elements or
/// outside. It is passed for a parameter of type cudaTextureObject_t, gpu::Texture in a C++ signature.
///
/// tex2D() reads a texture of an array with two axes, tex1D() one with one axis; x runs along the array's last axis. In
/// CUDA, tex1Dfetch() reads only linear memory: its texture needs the option `linear_memory`, has one axis, and works
/// with tex1Dfetch() only. Copies refer to the same texture. Destroying the last one waits for the device's work.
/// @snippet public/raw_module_test.cpp texture
class GPU_API Texture {
public:
    /// A texture of an Array's or View's present values, in any layout. The elements are float, int, unsigned, or 8- or
    /// 16-bit integers. Later writes to the array don't change the texture.
    /// @throws DTypeError for other elements; ShapeError for another rank, no elements, or more than a GPU's textures
    /// have; Error for options that CUDA doesn't combine
    /// @snippet public/raw_module_test.cpp linear_memory
    template <class A>
        requires requires(const A& array) { array.window(); }
    explicit Texture(const A& array, const TextureOptions& options = {}) : Texture(array.window(), options) {}
    Texture(const Texture&) = default;  // moving copies, so that no texture is without values
    Texture& operator=(const Texture&) = default;
    ~Texture() = default;

    /// The shape of the array that it was made from.
    /// @snippet public/raw_module_test.cpp facts
    [[nodiscard]] const Shape& shape() const noexcept;
    /// The options that it was made with.
    /// @snippet public/raw_module_test.cpp facts
    [[nodiscard]] const TextureOptions& options() const noexcept;
    /// The device of its values: the array's.
    /// @snippet public/raw_module_test.cpp facts
    [[nodiscard]] Device device() const noexcept;

private:
    Texture(const detail::ArrayCore& values, const TextureOptions& options);
    friend GPU_API std::uint64_t detail::texture_handle(const Texture& texture, int parameter);

    struct Handle;
    std::shared_ptr<const Handle> handle_;
};

}  // namespace gpu
