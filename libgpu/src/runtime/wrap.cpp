// SPDX-License-Identifier: MIT
#include <gpu/wrap.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include <gpu/error.hpp>

#include "array/iteration.hpp"
#include "runtime/array_buffers.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// Kernels fetch and store whole elements.
void check_address(const void* first, DType dtype) {
    if (reinterpret_cast<std::uintptr_t>(first) % size_of(dtype) == 0) return;
    throw DeviceError("wrap: " + std::string(name(dtype)) + " elements lie at multiples of " +
                      std::to_string(size_of(dtype)) + " bytes, and the address isn't one");
}

void check_reach(const ArrayCore& core) {
    if (core.shape.size() == 0) return;
    __extension__ using Wide = __int128;
    const Wide most = std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(size_of(core.dtype)) - 1;
    Wide reach = 0;
    for (int axis = 0; axis < core.shape.rank(); ++axis) {
        const Wide step = Wide{core.shape[axis] - 1} * core.strides[axis];
        reach += step < 0 ? -step : step;
        if (reach > most) {
            throw ShapeError("wrap: strides " + to_string(core.strides) + " for an array of shape " +
                             to_string(core.shape) + ": its elements would be more than 2^63 - 1 bytes apart");
        }
    }
}

}  // namespace

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
    if (shape.size() > 0) check_address(first, dtype);
    check_reach(core);
    // The window's first element may be anywhere in its memory: strides may be negative.
    const ByteRange range = byte_range(core);
    core.offset = -range.first / static_cast<std::int64_t>(size_of(dtype));
    auto* const lowest = static_cast<char*>(const_cast<void*>(first)) + range.first;
    core.storage =
        std::make_shared<Storage>(device, lowest, static_cast<std::size_t>(range.last - range.first), options.owner);
    return core;
}

}  // namespace gpu::detail
