// SPDX-License-Identifier: MIT
#include "runtime/storage.hpp"

#include <chrono>
#include <thread>
#include <utility>

#include "counts.hpp"
#include "runtime/devices/registry.hpp"
#include "runtime/memory/pool.hpp"

namespace gpu::detail {

namespace {

// Whether the pool does something by itself: what it has taken from the system is the same before and after. Only a
// ledger wants to know.
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
    if (borrowed_) {
        backend(device_).give_back(device_.index(), data_, bytes_);
        return;
    }
    const PoolWatch pool(device_);
    deallocate_counted(device_, data_, bytes_);
    count_work({.kind = LedgerEntry::Kind::free, .device = device_, .bytes = bytes_, .pooled = pool.is_unchanged()});
}

}  // namespace gpu::detail
