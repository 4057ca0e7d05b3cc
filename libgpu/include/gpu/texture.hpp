// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include <gpu/array_core.hpp>
#include <gpu/device.hpp>
#include <gpu/export.hpp>
#include <gpu/raw_argument.hpp>
#include <gpu/shape.hpp>
#include <gpu/texture_options.hpp>

namespace gpu {

/// A copy of an array's values, for raw kernels that read it as a texture: by coordinates that may lie between its
/// elements or outside of them. It is the argument for a parameter of type cudaTextureObject_t, in a C++ signature
/// gpu::Texture.
///
/// tex2D() reads a texture of an array with two axes, tex1D() one with one axis; x runs along the array's last axis. In
/// CUDA tex1Dfetch() reads linear memory alone: such a texture is made with the option `linear_memory`, has one axis,
/// and is for tex1Dfetch() only. Copies are the same texture. Destroying the last one waits for the device's work.
/// @snippet public/texture_test.cpp texture
class GPU_API Texture {
public:
    /// A texture of an Array's or View's values as they are now; they may lie in any order. The elements are float,
    /// int, unsigned, or integers of 8 or 16 bits. Later writes to the array don't change the texture.
    /// @throws DTypeError for other elements; ShapeError for another rank, no elements, or more than a GPU's textures
    /// have; Error for options that CUDA doesn't combine
    /// @snippet public/texture_test.cpp linear_memory
    template <class A>
        requires requires(const A& array) { array.window(); }
    explicit Texture(const A& array, const TextureOptions& options = {}) : Texture(array.window(), options) {}
    Texture(const Texture&) = default;  // moving copies: there are none without values
    Texture& operator=(const Texture&) = default;
    ~Texture() = default;

    /// The lengths of the array that it was made of.
    /// @snippet public/texture_test.cpp facts
    [[nodiscard]] const Shape& shape() const noexcept;
    /// How it is read.
    /// @snippet public/texture_test.cpp facts
    [[nodiscard]] const TextureOptions& options() const noexcept;
    /// Where its values are: where the array was.
    /// @snippet public/texture_test.cpp facts
    [[nodiscard]] Device device() const noexcept;

private:
    Texture(const detail::ArrayCore& values, const TextureOptions& options);
    friend GPU_API std::uint64_t detail::texture_handle(const Texture& texture, int parameter);

    struct Handle;
    std::shared_ptr<const Handle> handle_;
};

}  // namespace gpu
