// SPDX-License-Identifier: MIT
#include "runtime/index_faults.hpp"

#include <array>
#include <atomic>
#include <mutex>
#include <string>

#include <gpu/error.hpp>

#include "backend/host_access.hpp"
#include "runtime/devices/registry.hpp"

namespace gpu::detail {

namespace {

using Faults = std::array<std::atomic<IndexFault*>, max_devices>;

Faults& faults_of(BackendKind kind) {
    static Faults host{}, cuda{};
    return kind == BackendKind::host ? host : cuda;
}

std::string number(const IndexFault& fault) {
    return fault.kind == IndexFault::unsigned_index ? std::to_string(static_cast<std::uint64_t>(fault.value))
                                                    : std::to_string(fault.value);
}

}  // namespace

IndexFault* index_fault_of(Device device) {
    if (device.index() >= max_devices) {
        throw DeviceError("indices can be checked on the first " + std::to_string(max_devices) + " devices only");
    }
    std::atomic<IndexFault*>& place = faults_of(device.kind())[static_cast<std::size_t>(device.index())];
    if (IndexFault* const known = place.load(std::memory_order_acquire)) return known;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (place.load(std::memory_order_relaxed) == nullptr) {
        void* const made = backend(device).allocate_shared(device.index(), sizeof(IndexFault));
        place.store(static_cast<IndexFault*>(made), std::memory_order_release);
    }
    return place.load(std::memory_order_relaxed);
}

void throw_index_fault(Device device) {
    if (device.index() >= max_devices) return;
    IndexFault* const word =
        faults_of(device.kind())[static_cast<std::size_t>(device.index())].load(std::memory_order_acquire);
    if (word == nullptr) return;
    const std::atomic_ref<int> kind(word->kind), claimed(word->claimed);
    if (kind.load(std::memory_order_acquire) == IndexFault::none) return;
    static std::mutex telling;
    IndexFault fault;
    {
        const std::lock_guard lock(telling);
        fault = *word;
        if (kind.exchange(IndexFault::none) == IndexFault::none) return;  // another thread reports it
        claimed.store(0, std::memory_order_release);
    }
    if (fault.kind == IndexFault::mask_count) {
        throw ShapeError("cannot assign " + std::to_string(fault.value) + " input values to the " +
                         std::to_string(fault.size) + " output values where the mask is true");
    }
    throw IndexError("index " + number(fault) + " is out of bounds for axis " + std::to_string(fault.axis) +
                     " with size " + std::to_string(fault.size) + ": element " + std::to_string(fault.position) +
                     " of the index array (IndexMode::wrap and clip take any index)");
}

void throw_index_fault_if_blocking(Device device) {
    if (launch_blocking_wanted()) throw_index_fault(device);
}

}  // namespace gpu::detail
