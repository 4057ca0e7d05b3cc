// SPDX-License-Identifier: MIT
#include "runtime/storage.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "counts.hpp"
#include "runtime/memory/pool.hpp"
#include "runtime/registry.hpp"

namespace gpu::detail {

Storage::Storage(Device device, std::size_t bytes)
    : device_(device), bytes_(bytes), data_(allocate_counted(device, bytes)) {
    counters().allocations += 1;
    counters().bytes_allocated += bytes;
}

Storage::Storage(Device device, void* data, std::size_t bytes, std::shared_ptr<void> owner)
    : device_(device), bytes_(bytes), data_(data), borrowed_(true), owner_(std::move(owner)) {
    backend(device).borrow(device.index(), data, bytes);
}

namespace {

// Looks until it is so, instead of waiting: an error of a kernel is for the program's own next wait to throw.
void await_queued_work(Device device) noexcept {
    try {
        Backend& where = backend(device);
        void* const event = where.create_event(device.index());
        where.record_event(device.index(), event, nullptr);
        while (!where.event_reached(device.index(), event)) std::this_thread::sleep_for(std::chrono::microseconds(20));
        where.destroy_event(device.index(), event);
    } catch (...) {  // the device is lost, or gone with the program: nothing works on the memory any more
    }
}

}  // namespace

Storage::~Storage() {
    if (owner_ != nullptr) await_queued_work(device_);
    if (borrowed_)
        backend(device_).give_back(device_.index(), data_, bytes_);
    else
        deallocate_counted(device_, data_, bytes_);
}

}  // namespace gpu::detail
