// SPDX-License-Identifier: MIT
// Elements on their way between host and devices.
#include <vector>

#include <gpu/array_core.hpp>
#include <gpu/error.hpp>

#include "counts.hpp"
#include "runtime/array_buffers.hpp"
#include "runtime/context.hpp"
#include "runtime/index_faults.hpp"
#include "runtime/registry.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

void check_size(const ArrayCore& core, std::int64_t count, const char* operation) {
    if (core.shape.size() != count) {
        throw ShapeError(std::string(operation) + ": the array has shape " + to_string(core.shape) + ", that is " +
                         std::to_string(core.shape.size()) + " elements; the host memory has " + std::to_string(count));
    }
}

void upload(const ArrayCore& dense, const void* from) {
    const std::size_t bytes = bytes_of(dense.shape, dense.dtype);
    dense.storage->mark_written();
    if (bytes == 0) return;
    const Device device = dense.storage->device();
    backend(device).copy(device.index(), data_of(dense), from, bytes, CopyKind::host_to_device,
                         native_stream({}, device));
    counters().copies_to_device += 1;
    counters().bytes_to_device += bytes;
    counters().synchronizations += 1;
    throw_index_fault(device);
}

void download(const ArrayCore& dense, void* to) {
    const std::size_t bytes = bytes_of(dense.shape, dense.dtype);
    if (bytes == 0) return;
    const Device device = dense.storage->device();
    backend(device).copy(device.index(), to, data_of(dense), bytes, CopyKind::device_to_host,
                         native_stream({}, device));
    counters().copies_to_host += 1;
    counters().bytes_to_host += bytes;
    counters().synchronizations += 1;
    throw_index_fault(device);
}

// The same window with its elements side by side in this order; itself if it is so already.
ArrayCore densely(const ArrayCore& source, Layout layout) {
    if (is_dense(source, layout)) return source;
    ArrayCore dense = make_array_on(source.storage->device(), source.dtype, source.shape, layout);
    assign(dense, leaf(source), false);
    return dense;
}

}  // namespace

// Through the host: right between any two devices. Peer copies come with the transfers' own issue.
ArrayCore copy_to_device(const ArrayCore& source, Device device) {
    if (source.storage->device() == device) return copy_of(source);
    const Layout layout = own_layout(source);
    const ArrayCore dense = densely(source, layout);
    std::vector<std::byte> staged(bytes_of(source.shape, source.dtype));
    download(dense, staged.data());
    const ArrayCore copy = make_array_on(device, source.dtype, source.shape, layout);
    upload(copy, staged.data());
    return copy;
}

void copy_from_host(const ArrayCore& target, const void* from, std::int64_t count) {
    check_size(target, count, "copy_from");
    if (is_dense(target, Layout::row_major)) return upload(target, from);
    const ArrayCore staged = make_array_on(target.storage->device(), target.dtype, target.shape, Layout::row_major);
    upload(staged, from);
    ArrayCore window = target;
    assign(window, leaf(staged), false);
}

void copy_from_host_dense(const ArrayCore& target, const void* from, std::int64_t count) {
    check_size(target, count, "to_device");
    upload(target, from);
}

void copy_to_host(const ArrayCore& source, void* to, std::int64_t count) {
    copy_to_host_as(source, to, count, Layout::row_major);
}

void copy_to_host_as(const ArrayCore& source, void* to, std::int64_t count, Layout layout) {
    check_size(source, count, "copy_to");
    download(densely(source, layout), to);
}

void read_item(const ArrayCore& source, void* to) {
    if (source.shape.size() != 1) {
        throw ShapeError("item() needs an array of one element; this one has shape " + to_string(source.shape));
    }
    download(source, to);
}

}  // namespace gpu::detail
