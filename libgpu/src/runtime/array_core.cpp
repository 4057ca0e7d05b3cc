// SPDX-License-Identifier: MIT
#include <gpu/array_core.hpp>

#include <utility>

#include <gpu/error.hpp>

#include "array/reshape.hpp"
#include "backend/log.hpp"
#include "counts.hpp"
#include "runtime/array_buffers.hpp"
#include "runtime/devices/context.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

void throw_moved_from(const char* operation) {
    throw Error(std::string(operation) + ": this array was moved from; assign to it first");
}

std::size_t bytes_of(const Shape& shape, DType dtype) {
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(shape.size(), static_cast<std::int64_t>(size_of(dtype)), &bytes)) {
        throw ShapeError("an array of shape " + to_string(shape) + " has more than 2^63 - 1 bytes");
    }
    return static_cast<std::size_t>(bytes);
}

ArrayCore make_array_on(Device device, DType dtype, const Shape& shape, Layout layout) {
    auto storage = std::make_shared<Storage>(device, bytes_of(shape, dtype), dtype);
    if (is_capturing()) [[unlikely]] keep_for_graph(storage);
    backend(device).describe(device.index(), storage->data(), dtype, shape);
    return {.storage = std::move(storage),
            .offset = 0,
            .shape = shape,
            .strides = dense_strides(shape, layout),
            .dtype = dtype};
}

Layout own_layout(const ArrayCore& core) {
    return !is_dense(core, Layout::row_major) && is_dense(core, Layout::column_major) ? Layout::column_major
                                                                                      : Layout::row_major;
}

ArrayCore make_array(DType dtype, const Shape& shape, Layout layout) {
    return make_array_on(current_device(), dtype, shape, layout);
}

ArrayCore copy_of(const ArrayCore& source) { return copy_of(source, own_layout(source)); }

ArrayCore copy_of(const ArrayCore& source, Layout layout) {
    ArrayCore copy = make_array_on(source.storage->device(), source.dtype, source.shape, layout);
    if (!is_dense(source, layout)) {
        assign(copy, leaf(source), false);
        return copy;
    }
    const std::size_t bytes = bytes_of(source.shape, source.dtype);
    if (bytes == 0) return copy;
    const Device device = source.storage->device();
    Backend& where = backend(device);
    void* const stream = native_stream({}, device);
    const LoggedWork work{.kind = LoggedKind::copy_on_device, .name = nullptr, .bytes = bytes};
    logged(where, device.index(), stream, work, [&] {
        where.copy(device.index(), data_of(copy), data_of(source), bytes, CopyKind::device_to_device, stream);
    });
    count_work({.kind = LedgerEntry::Kind::copy_on_device,
           .device = device,
           .bytes = bytes,
           .elements = source.shape.size(),
           .dtype = &source.dtype});
    return copy;
}

ArrayCore reshaped_or_copied(const ArrayCore& source, const TargetShape& shape, Layout order) {
    const Shape wanted = shape.resolved(source.shape);
    if (auto window = reshaped_in_place(source, wanted, order)) return *std::move(window);
    return *reshaped_in_place(copy_of(source, order), wanted, order);
}

ArrayCore owned(ArrayCore result, DType wanted) {
    if (result.storage == nullptr) throw_moved_from("Array from a kernel's result");
    if (result.dtype != wanted) {
        throw DTypeError("Array from a kernel's result: the elements are " + std::string(name(result.dtype)) +
                         ", not " + std::string(name(wanted)));
    }
    const bool is_alone = result.storage.use_count() == 1 &&
                          (is_dense(result, Layout::row_major) || is_dense(result, Layout::column_major));
    return is_alone ? result : copy_of(result, Layout::row_major);
}

Device device_of(const ArrayCore& core) { return core.storage->device(); }

// Whose address somebody wants during a capture is in the graph, or may be.
void* data_of(const ArrayCore& core) noexcept {
    if (is_capturing()) [[unlikely]] keep_for_graph(core.storage);
    return static_cast<char*>(core.storage->data()) + core.offset * static_cast<std::int64_t>(size_of(core.dtype));
}

void lend_to_host(const ArrayCore& core) noexcept {
    const Device device = core.storage->device();
    backend(device).lend_to_host(device.index(), core.storage->data());
}

void mark_written(const ArrayCore& core) noexcept {
    core.storage->mark_written();
    const Device device = core.storage->device();
    backend(device).written_by_host(device.index(), core.storage->data());
}

}  // namespace gpu::detail
