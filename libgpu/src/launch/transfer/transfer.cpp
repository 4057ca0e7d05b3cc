// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gpu/array_core.hpp>
#include <gpu/error.hpp>
#include <gpu/transfer.hpp>

#include "array/iteration.hpp"
#include "array/shape.hpp"
#include "backend/device_event.hpp"
#include "backend/observers.hpp"
#include "counts.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/graph.hpp"
#include "runtime/index_faults.hpp"
#include "runtime/memory/pinned_pool.hpp"
#include "runtime/storage.hpp"

// Copying elements: on a device, between devices, between host and devices.
namespace gpu::detail {

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
    const CountedWork work{.kind = LedgerEntry::Kind::copy_on_device,
                           .device = device,
                           .bytes = bytes,
                           .elements = source.shape.size(),
                           .dtype = &source.dtype,
                           .entry = LaunchEntry::Kind::copy_on_device};
    counted(where, stream, work, [&] {
        where.copy(device.index(), address_of(copy), address_of(source), bytes, CopyKind::device_to_device, stream);
    });
    return copy;
}

ArrayCore reshaped_or_copied(const ArrayCore& source, const TargetShape& shape, Layout order) {
    const Shape wanted = shape.resolved(source.shape);
    if (auto window = reshaped_in_place(source, wanted, order)) return *std::move(window);
    return *reshaped_in_place(copy_of(source, order), wanted, order);
}

ArrayCore owned(ArrayCore result, DType wanted) {
    if (result.storage == nullptr) throw_moved_from("Array from an AnyArray");
    if (result.dtype != wanted) {
        throw DTypeError("Array from an AnyArray: the elements are " + std::string(name(result.dtype)) + ", not " +
                         std::string(name(wanted)) + ": write .astype<T>() to convert them");
    }
    const bool is_alone = result.storage.use_count() == 1 &&
                          (is_dense(result, Layout::row_major) || is_dense(result, Layout::column_major));
    return is_alone ? result : copy_of(result, Layout::row_major);
}

namespace {

void check_size(const ArrayCore& core, std::int64_t count, const char* operation) {
    if (core.shape.size() != count) {
        throw ShapeError(std::string(operation) + ": the array has shape " + to_string(core.shape) + ", that is " +
                         std::to_string(core.shape.size()) + " elements; the host memory has " + std::to_string(count));
    }
}

enum class Wait { yes, no };

enum class Direction { to_device, to_host };

// Copies between a dense array and host memory, in the current stream of the array's device. Only a copy to the host
// writes to `host`, or makes it new.
void carry(const ArrayCore& dense, const void* host, Direction direction, Wait wait,
           const NewHostMemory* made = nullptr) {
    const std::size_t bytes = bytes_of(dense.shape, dense.dtype);
    if (bytes == 0) return;
    if (wait == Wait::yes) {
        refuse_in_capture("a copy between host and device that waits",
                          "copy before it, or by copy_from_async() and copy_to_async() with a gpu::Pinned");
    }
    const bool is_upload = direction == Direction::to_device;
    const CopyKind kind = is_upload ? CopyKind::host_to_device : CopyKind::device_to_host;
    void* const to = is_upload ? address_of(dense) : const_cast<void*>(host);
    const void* const from = is_upload ? host : address_of(dense);
    const Device device = dense.storage->device();
    Backend& where = backend(device);
    void* const stream = native_stream({}, device);
    const bool pageable = wait == Wait::no && !pinned_blocks(device).holds(host) &&
                          !where.is_page_locked(host, bytes);
    if (pageable) refuse_in_capture("a copy between host and device", "the host memory must be a gpu::Pinned");
    const CountedWork work{.kind = is_upload ? LedgerEntry::Kind::copy_to_device : LedgerEntry::Kind::copy_to_host,
                           .device = device,
                           .bytes = bytes,
                           .elements = dense.shape.size(),
                           .dtype = &dense.dtype,
                           .waits = wait == Wait::yes,
                           .pageable_async = pageable,
                           .entry = is_upload ? LaunchEntry::Kind::copy_to_device : LaunchEntry::Kind::copy_to_host};
    counted(where, stream, work, [&] {
        const std::int64_t count = dense.shape.size();
        if (made != nullptr) {
            const auto read = [&] { made->make(made->host, from, count); };
            if (where.read_in_place(device.index(), stream, read)) return;
            where.copy(device.index(), made->make(made->host, nullptr, count), from, bytes, kind, stream);
        } else if (wait == Wait::yes)
            where.copy(device.index(), to, from, bytes, kind, stream);
        else
            where.copy_async(device.index(), to, from, bytes, kind, stream);
    });
    if (wait == Wait::no && !is_capturing()) pinned_blocks(device).used_by(host, device.index(), stream);
    if (wait == Wait::yes) throw_index_fault(device);
}

void upload(const ArrayCore& dense, const void* from, Wait wait = Wait::yes) {
    dense.storage->mark_written();
    carry(dense, from, Direction::to_device, wait);
}

void download(const ArrayCore& dense, void* to, Wait wait = Wait::yes) { carry(dense, to, Direction::to_host, wait); }

/// A stream of a device.
struct StreamOf {
    int device;
    void* stream;
};

// Orders what is in `first` before what is queued in `second` from now on: streams of one backend.
void order(Backend& where, const StreamOf& first, const StreamOf& second) {
    const DeviceEvent event(where, first.device);
    event.record(first.stream);
    where.wait_event(second.device, second.stream, event.native());
}

// Copies between two devices of one backend; the host doesn't wait. The copy, in the target's stream, starts after the
// work in the source's stream, and later work there waits for the copy.
void copy_between(const ArrayCore& target, const ArrayCore& source, std::size_t bytes) {
    const Device from = source.storage->device(), to = target.storage->device();
    Backend& where = backend(to);
    refuse_in_capture("a copy between two devices");
    const StreamOf source_stream{from.index(), native_stream({}, from)};
    void* const stream = native_stream({}, to);
    order(where, source_stream, {to.index(), stream});
    const CountedWork work{.kind = LedgerEntry::Kind::copy_on_device,
                           .device = to,
                           .bytes = bytes,
                           .elements = source.shape.size(),
                           .dtype = &source.dtype,
                           .between_devices = true,
                           .entry = LaunchEntry::Kind::copy_on_device};
    counted(where, stream, work,
            [&] { where.copy_peer(to.index(), address_of(target), from.index(), address_of(source), bytes, stream); });
    order(where, {to.index(), stream}, source_stream);
}

// A host device's memory is this process's: the GPU's backend copies from and to it.
void copy_between_backends(const ArrayCore& target, const ArrayCore& source) {
    const Device from = source.storage->device();
    const std::shared_ptr<void> access = backend(BackendKind::host).host_access();
    if (!backend(from).traits().in_host_memory) {
        download(source, address_of(target));
        mark_written(target);
        return;
    }
    count_work({.kind = LedgerEntry::Kind::wait, .device = from, .name = "a stream"});
    backend(from).synchronize_stream(from.index(), native_stream({}, from));
    throw_index_fault(from);
    upload(target, address_of(source));
}

// The same window with contiguous elements in this order; unchanged if it is already.
ArrayCore densely(const ArrayCore& source, Layout layout) {
    if (is_dense(source, layout)) return source;
    ArrayCore dense = make_array_on(source.storage->device(), source.dtype, source.shape, layout);
    assign(dense, leaf(source), false);
    return dense;
}

}  // namespace

ArrayCore copy_to_device(const ArrayCore& source, Device device, Layout layout) {
    const Device from = source.storage->device();
    if (from == device) return copy_of(source, layout);
    const ArrayCore dense = densely(source, layout);
    const ArrayCore copy = make_array_on(device, source.dtype, source.shape, layout);
    const std::size_t bytes = bytes_of(source.shape, source.dtype);
    if (bytes == 0) return copy;
    if (&backend(from) == &backend(device))
        copy_between(copy, dense, bytes);
    else
        copy_between_backends(copy, dense);
    return copy;
}

void copy_from_host(const ArrayCore& target, const void* from, std::int64_t count) {
    copy_from_host_as(target, from, count, Layout::row_major);
}

void copy_from_host_as(const ArrayCore& target, const void* from, std::int64_t count, Layout layout) {
    check_size(target, count, "copy_from");
    if (is_dense(target, layout)) return upload(target, from);
    const ArrayCore staged = make_array_on(target.storage->device(), target.dtype, target.shape, layout);
    upload(staged, from);
    ArrayCore window = target;
    assign(window, leaf(staged), false);
}

// An event recorded after the copy, in its stream.
static Event recorded_on(Device device) {
    const DeviceGuard guard(device);
    Event event;
    if (!is_capturing()) event.record();  // otherwise there is nothing to wait for before a replay
    return event;
}

Event copy_from_host_async(const ArrayCore& target, const void* from, std::int64_t count) {
    check_size(target, count, "copy_from_async");
    if (is_dense(target, Layout::row_major)) {
        upload(target, from, Wait::no);
    } else {
        const ArrayCore staged = make_array_on(target.storage->device(), target.dtype, target.shape, Layout::row_major);
        upload(staged, from, Wait::no);
        ArrayCore window = target;
        assign(window, leaf(staged), false);
    }
    return recorded_on(target.storage->device());
}

Event copy_to_host_async(const ArrayCore& source, void* to, std::int64_t count) {
    check_size(source, count, "copy_to_async");
    download(densely(source, Layout::row_major), to, Wait::no);
    return recorded_on(source.storage->device());
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

void copy_to_new(const ArrayCore& source, const NewHostMemory& host) {
    carry(densely(source, Layout::row_major), nullptr, Direction::to_host, Wait::yes, &host);
}

void read_item(const ArrayCore& source, void* to) {
    if (source.shape.size() != 1) {
        throw ShapeError("item() needs an array of one element; this one has shape " + to_string(source.shape));
    }
    refuse_in_capture("item()");
    download(source, to);
}

// Host memory other than spans: lists, packed bits, matrices.

ArrayCore to_device(DType dtype, const Shape& shape, const void* from, std::size_t count, Layout layout) {
    const ArrayCore array = make_array(dtype, shape, layout);
    copy_from_host_dense(array, from, static_cast<std::int64_t>(count));
    return array;
}

void check_row(std::size_t first, std::size_t other) {
    if (first == other) return;
    throw ShapeError("to_device: a list's rows have " + std::to_string(first) + " and " + std::to_string(other) +
                     " elements; they must be of one length");
}

void copy_from_bits(const ArrayCore& target, const std::vector<bool>& host) {
    const std::vector<unsigned char> bytes(host.begin(), host.end());
    copy_from_host(target, bytes.data(), std::ssize(bytes));
}

void copy_to_bits(const ArrayCore& source, std::vector<bool>& host) {
    std::vector<unsigned char> bytes(host.size());
    copy_to_host(source, bytes.data(), std::ssize(bytes));
    std::transform(bytes.begin(), bytes.end(), host.begin(), [](unsigned char byte) { return byte != 0; });
}

void check_eigen_shape(const Shape& shape, std::int64_t rows, std::int64_t columns, const char* operation) {
    const bool is_vector = shape.rank() == 1 && (rows == 1 || columns == 1) && shape[0] == rows * columns;
    const bool is_matrix = shape.rank() == 2 && shape[0] == rows && shape[1] == columns;
    if (is_vector || is_matrix || (shape.rank() == 0 && rows == 1 && columns == 1)) return;
    throw ShapeError(std::string(operation) + ": the array has shape " + to_string(shape) + ", the Eigen object " +
                     std::to_string(rows) + " x " + std::to_string(columns));
}

namespace {

// Kernels load and store whole elements.
void check_address(const void* first, DType dtype) {
    if (reinterpret_cast<std::uintptr_t>(first) % size_of(dtype) == 0) return;
    throw DeviceError("wrap: " + std::string(name(dtype)) + " elements lie at multiples of " +
                      std::to_string(size_of(dtype)) + " bytes, and the address isn't one");
}

void check_reach(const ArrayCore& core) {
    if (core.shape.size() == 0) return;
    __extension__ using Wide = __int128;
    const Wide max_reach =
        std::numeric_limits<std::int64_t>::max() / static_cast<std::int64_t>(size_of(core.dtype)) - 1;
    Wide reach = 0;
    for (int axis = 0; axis < core.shape.rank(); ++axis) {
        const Wide step = Wide{core.shape[axis] - 1} * core.strides[axis];
        reach += step < 0 ? -step : step;
        if (reach > max_reach) {
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
