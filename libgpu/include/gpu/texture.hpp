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

/// A copy of an array's values, for raw kernels that read it as a texture: by coordinates that may lie between its
/// elements or outside of them. It is the argument for a parameter of type cudaTextureObject_t, in a C++ signature
/// gpu::Texture.
///
/// tex2D() reads a texture of an array with two axes, tex1D() one with one axis; x runs along the array's last axis. In
/// CUDA tex1Dfetch() reads linear memory alone: such a texture is made with the option `linear_memory`, has one axis,
/// and is for tex1Dfetch() only. Copies are the same texture. Destroying the last one waits for the device's work.
/// @snippet public/raw_module_test.cpp texture
class GPU_API Texture {
public:
    /// A texture of an Array's or View's values as they are now; they may lie in any order. The elements are float,
    /// int, unsigned, or integers of 8 or 16 bits. Later writes to the array don't change the texture.
    /// @throws DTypeError for other elements; ShapeError for another rank, no elements, or more than a GPU's textures
    /// have; Error for options that CUDA doesn't combine
    /// @snippet public/raw_module_test.cpp linear_memory
    template <class A>
        requires requires(const A& array) { array.window(); }
    explicit Texture(const A& array, const TextureOptions& options = {}) : Texture(array.window(), options) {}
    Texture(const Texture&) = default;  // moving copies: there are none without values
    Texture& operator=(const Texture&) = default;
    ~Texture() = default;

    /// The lengths of the array that it was made of.
    /// @snippet public/raw_module_test.cpp facts
    [[nodiscard]] const Shape& shape() const noexcept;
    /// How it is read.
    /// @snippet public/raw_module_test.cpp facts
    [[nodiscard]] const TextureOptions& options() const noexcept;
    /// Where its values are: where the array was.
    /// @snippet public/raw_module_test.cpp facts
    [[nodiscard]] Device device() const noexcept;

private:
    Texture(const detail::ArrayCore& values, const TextureOptions& options);
    friend GPU_API std::uint64_t detail::texture_handle(const Texture& texture, int parameter);

    struct Handle;
    std::shared_ptr<const Handle> handle_;
};

}  // namespace gpu
