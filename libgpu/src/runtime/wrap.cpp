// SPDX-License-Identifier: MIT
#include <gpu/wrap.hpp>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "runtime/array_buffers.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

ArrayCore wrapped(const void* first, DType dtype, const Shape& shape, const WrapOptions& options, Device device) {
    ArrayCore core{.storage = nullptr, .offset = 0, .shape = shape, .strides = options.strides, .dtype = dtype};
    if (shape.size() > 0 && first == nullptr) {
        throw DeviceError("wrap: a null pointer for an array of shape " + to_string(shape));
    }
    if (options.strides.rank() == 0) core.strides = dense_strides(shape, options.layout);
    if (core.strides.rank() != shape.rank()) {
        throw ShapeError("wrap: strides " + to_string(options.strides) + " for an array of shape " + to_string(shape) +
                         ": each axis needs one");
    }
    (void)bytes_of(shape, dtype);
    // The window's first element may be anywhere in its memory: strides may be negative.
    const ByteRange range = byte_range(core);
    core.offset = -range.first / static_cast<std::int64_t>(size_of(dtype));
    auto* const lowest = static_cast<char*>(const_cast<void*>(first)) + range.first;
    core.storage =
        std::make_shared<Storage>(device, lowest, static_cast<std::size_t>(range.last - range.first), options.owner);
    return core;
}

}  // namespace gpu::detail
