// SPDX-License-Identifier: MIT
#include "runtime/storage.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include <gpu/array_core.hpp>
#include <gpu/error.hpp>

#include "array/shape.hpp"
#include "backend/device_event.hpp"
#include "backend/observers.hpp"
#include "counts.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/memory/pool.hpp"

namespace gpu::detail {

namespace {

// Detects whether the pool served a request by itself: then its memory from the system is unchanged. Only a ledger
// needs this.
class PoolWatch {
public:
    explicit PoolWatch(Device device) noexcept : device_(device), noted_(is_noted()), held_(held()) {}
    [[nodiscard]] bool is_unchanged() const noexcept { return noted_ && held() == held_; }

private:
    [[nodiscard]] std::size_t held() const noexcept {
        try {
            return noted_ ? backend(device_).memory_use(device_.index()).held : 0;
        } catch (...) {  // the device is lost
            return 0;
        }
    }

    Device device_;
    bool noted_;
    std::size_t held_;
};

}  // namespace

Storage::Storage(Device device, std::size_t bytes, DType elements) : device_(device), bytes_(bytes) {
    const PoolWatch pool(device);
    data_ = allocate_counted(device, bytes);
    count_work({.kind = LedgerEntry::Kind::allocation,
           .device = device,
           .bytes = bytes,
           .elements = static_cast<std::int64_t>(bytes / size_of(elements)),
           .dtype = &elements,
           .pooled = pool.is_unchanged()});
}

Storage::Storage(Device device, void* data, std::size_t bytes, std::shared_ptr<void> owner)
    : device_(device), bytes_(bytes), data_(data), borrowed_(true), owner_(std::move(owner)) {
    backend(device).borrow(device.index(), data, bytes);
}

namespace {

// Polls instead of waiting: a kernel's error must be thrown by the program's own next wait.
void await_queued_work(Device device) noexcept {
    try {
        Backend& where = backend(device);
        const DeviceEvent end(where, device.index());
        end.record(nullptr);
        while (!where.event_reached(device.index(), end.native()))
            std::this_thread::sleep_for(std::chrono::microseconds(20));
    } catch (...) {  // the device is lost, or gone with the program: nothing uses the memory any more
    }
}

}  // namespace

void Storage::hand_out() noexcept {
    if (borrowed_ || handed_out_.exchange(true, std::memory_order_relaxed)) return;
    backend(device_).hand_out(device_.index(), data_);
}

Storage::~Storage() {
    if (owner_ != nullptr) await_queued_work(device_);
    if (borrowed_) {
        backend(device_).give_back(device_.index(), data_, bytes_);
        return;
    }
    const PoolWatch pool(device_);
    deallocate_counted(device_, data_, bytes_);
    count_work({.kind = LedgerEntry::Kind::free, .device = device_, .bytes = bytes_, .pooled = pool.is_unchanged()});
}

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

Device device_of(const ArrayCore& core) { return core.storage->device(); }

// An array whose address is requested during a capture is, or may be, in the graph.
void* address_of(const ArrayCore& core) {
    compute_what_waits();
    if (core.storage->waits_elsewhere(&before_access)) [[unlikely]]
        throw Error(
            "this array is computed by a fused function that hasn't returned in another thread: other threads can use "
            "it after that; let the function return it");
    if (is_capturing()) [[unlikely]] keep_for_graph(core.storage);
    return static_cast<char*>(core.storage->data()) + core.offset * static_cast<std::int64_t>(size_of(core.dtype));
}

void* data_of(const ArrayCore& core) {
    core.storage->hand_out();
    return address_of(core);
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
