// SPDX-License-Identifier: MIT
#include <gpu/texture.hpp>

#include <string>
#include <utility>

#include <gpu/error.hpp>

#include "backend/backend.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"
#include "runtime/storage.hpp"

namespace gpu {

namespace {

// The limits of textures on all GPUs since compute capability 6.0: texels along x and y, and in linear memory.
constexpr std::int64_t max_along_x = 131072, max_along_y = 65536, max_linear = std::int64_t{1} << 27;

[[noreturn]] void refuse_options(const std::string& what) { throw Error("Texture: " + what); }

void check_options(const detail::TextureLayout& layout) {
    const std::size_t bytes = size_of(layout.elements);
    if (layout.channels != 1 && layout.channels != 2 && layout.channels != 4)
        refuse_options("channels is " + std::to_string(layout.channels) + ": texels have 1, 2 or 4");
    if (layout.normalized_values && (is_floating(layout.elements) || bytes > 2)) {
        refuse_options("normalized_values with elements of type " + std::string(name(layout.elements)) +
                       ": integers of 8 and 16 bits become floats so, no others");
    }
    if (layout.filter == TextureFilter::linear && !is_floating(layout.elements) && !layout.normalized_values) {
        refuse_options("a linear filter with elements of type " + std::string(name(layout.elements)) +
                       ": it makes floats; take elements of type float32, or normalized_values" +
                       (bytes > 2 ? " with 8 or 16 bits" : ""));
    }
    if (layout.linear_memory && (layout.filter != TextureFilter::nearest || layout.normalized_coordinates ||
                                 layout.addressing != TextureAddressing::clamp)) {
        refuse_options("linear_memory with a filter, an addressing or normalized coordinates: tex1Dfetch() takes an "
                       "index, and gives 0 outside of the texture");
    }
}

detail::TextureLayout layout_of(const detail::ArrayCore& values, const TextureOptions& options) {
    detail::TextureLayout layout;
    static_cast<TextureOptions&>(layout) = options;
    layout.elements = values.dtype;
    const DType type = values.dtype;
    if (type != DType::float32 && (!detail::is_integer(type) || size_of(type) > 4)) {
        throw DTypeError("Texture: its elements can't be " + std::string(name(type)) +
                         ": take float32, or integers of 8, 16 or 32 bits; x.astype<float>() converts");
    }
    check_options(layout);
    const Shape& shape = values.shape;
    const int channel_axes = options.channels > 1 ? 1 : 0;
    layout.rank = shape.rank() - channel_axes;
    if (channel_axes == 1 && (shape.rank() == 0 || shape[shape.rank() - 1] != options.channels)) {
        throw ShapeError("Texture: the array has shape " + to_string(shape) + ", and channels = " +
                         std::to_string(options.channels) + " needs a last axis of that length");
    }
    const int max_axes = options.linear_memory ? 1 : 2;
    if (layout.rank < 1 || layout.rank > max_axes) {
        throw ShapeError("Texture: the array has shape " + to_string(shape) + ": a texture " +
                         (options.linear_memory ? "in linear memory has one axis" : "has one axis or two") +
                         (channel_axes == 1 ? ", and the channels' axis" : ""));
    }
    layout.width = shape[layout.rank - 1];
    layout.height = layout.rank == 2 ? shape[0] : 1;
    const std::int64_t max_width = options.linear_memory ? max_linear : max_along_x;
    if (shape.size() == 0)
        throw ShapeError("Texture: the array has shape " + to_string(shape) + ": there is nothing to read");
    if (layout.width > max_width || layout.height > max_along_y) {
        const bool is_wide = layout.width > max_width;
        throw ShapeError("Texture: " + std::to_string(is_wide ? layout.width : layout.height) + " texels along " +
                         (is_wide ? "x" : "y") + ": GPUs have textures of at most " +
                         std::to_string(is_wide ? max_width : max_along_y) +
                         (options.linear_memory ? " in linear memory" : ""));
    }
    return layout;
}

}  // namespace

struct Texture::Handle {
    Handle(const detail::ArrayCore& source, const TextureOptions& options)
        : device(detail::device_of(source)), shape(source.shape), layout(layout_of(source, options)) {
        const DeviceGuard guard(device);
        const bool is_in_order = detail::is_dense(source, Layout::row_major);
        const detail::ArrayCore texels = is_in_order ? source : detail::copy_of(source, Layout::row_major);
        native = detail::backend(device).create_texture(device.index(), layout, detail::data_of(texels),
                                                        detail::native_stream({}, device));
    }
    ~Handle() { detail::backend(device).destroy_texture(device.index(), native); }
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;

    Device device;
    Shape shape;
    detail::TextureLayout layout;
    std::uint64_t native = 0;
};

Texture::Texture(const detail::ArrayCore& values, const TextureOptions& options) {
    if (values.storage == nullptr) detail::throw_moved_from("Texture");
    detail::refuse_in_capture("Texture");
    handle_ = std::make_shared<Handle>(values, options);
}

const Shape& Texture::shape() const noexcept { return handle_->shape; }
const TextureOptions& Texture::options() const noexcept { return handle_->layout; }
Device Texture::device() const noexcept { return handle_->device; }

namespace detail {

std::uint64_t texture_handle(const Texture& texture, int parameter) {
    const Device device = texture.device();
    if (device != current_device()) {
        throw DeviceError("argument " + std::to_string(parameter) + " of a raw kernel is a Texture on " +
                          device.to_string() + ", the kernel would run on " + current_device().to_string() +
                          ": launch under gpu::DeviceGuard guard(" + spelled(device) + ")");
    }
    refuse_in_capture("a raw kernel with a texture", "launch it before the capture, or after a replay");
    backend(device).texture_used();
    return texture.handle_->native;
}

}  // namespace detail

}  // namespace gpu
