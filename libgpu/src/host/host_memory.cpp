// SPDX-License-Identifier: MIT
#include "host/host_memory.hpp"

#include <cstdint>
#include <cstring>
#include <string>

#include <gpu/error.hpp>

namespace gpu::detail::host {

namespace {

// Until queued work has this much to free, new arrays get new memory: what the host allocates while it runs ahead of
// its streams must not fill the machine.
constexpr std::size_t max_to_free = std::size_t{64} << 20;
// Waiting for memory that is about to be freed is better than new pages that the system has to clear.
constexpr std::size_t large = std::size_t{4} << 20;

}  // namespace

HostMemory::HostMemory(Streams& streams, HostChecker& checker) : streams_(streams), checker_(checker) {
    const std::size_t capacity = memory_capacity(streams.devices());
    for (int k = 0; k < streams.devices(); ++k)
        memories_.push_back(std::make_unique<GuardedMemory>("host:" + std::to_string(k), capacity));
    for (const auto& memory : memories_) checker.host_access().add(*memory);
}

void* HostMemory::allocate(int device, std::size_t bytes) {
    GuardedMemory& where = of(device);
    streams_.finish_frees(bytes >= large ? 0 : max_to_free);
    try {
        return where.allocate(bytes);
    } catch (const OutOfMemory&) {
        streams_.finish_frees(0);  // what queued work still uses may be enough
    }
    return where.allocate(bytes);
}

void* HostMemory::allocate_zeroed(int device, std::size_t bytes) {
    void* const data = of(device).allocate(bytes);
    of(device).lend(data);
    std::memset(data, 0, bytes);
    of(device).mark_written(data);
    return data;
}

void HostMemory::deallocate(int device, void* data, std::size_t bytes) noexcept {
    checker_.freed(device, data);
    streams_.free(of(device), data, bytes);
}

void HostMemory::trim(int device) {
    streams_.finish_frees(0);
    of(device).trim(0);
}

void HostMemory::written(int device, void* to, std::size_t bytes) {
    if (checker_.active())
        checker_.memory().written(of(device), reinterpret_cast<std::uintptr_t>(to), bytes);
    else
        of(device).mark_written(to);
}

void HostMemory::written_as(int device, void* to, const void* from, std::size_t bytes) {
    const auto source = reinterpret_cast<std::uintptr_t>(from), target = reinterpret_cast<std::uintptr_t>(to);
    const CheckedArray* const known = checker_.active() ? checker_.memory().find(of(device), source) : nullptr;
    const std::size_t offset = known != nullptr ? source - known->start : 0;
    if (known == nullptr || known->initialized(offset, bytes)) return written(device, to, bytes);
    for (std::size_t k = 0, end = 0; k < bytes; k = end + 1) {
        for (end = k; end < bytes && known->initialized(offset + end, 1);) ++end;
        checker_.memory().written(of(device), target + k, end - k);
    }
}

void HostMemory::written_by_host(int device, const void* data) noexcept {
    of(device).mark_written(data);
    if (CheckedArray* const array = checker_.active() ? checker_.memory().known(data) : nullptr)
        array->all_initialized();
}

}  // namespace gpu::detail::host
