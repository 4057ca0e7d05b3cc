// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <string>

#include <gpu/device.hpp>
#include <gpu/error.hpp>

namespace gpu::detail {

/// Counts the bytes of live arrays, and refuses to exceed a limit. Thread-safe, and independent of devices.
class MemoryAccount {
public:
    explicit MemoryAccount(std::size_t limit = 0) : limit_(limit) {}

    /// False, without any change, if the limit leaves no room.
    [[nodiscard]] bool reserve(std::size_t bytes) noexcept {
        std::size_t used = used_.load(std::memory_order_relaxed);
        do {
            const std::size_t limit = limit_.load(std::memory_order_relaxed);
            if (limit != 0 && (used > limit || bytes > limit - used)) return false;
        } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
        std::size_t peak = peak_.load(std::memory_order_relaxed);
        while (peak < used + bytes && !peak_.compare_exchange_weak(peak, used + bytes, std::memory_order_relaxed)) {}
        return true;
    }
    void release(std::size_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }

    [[nodiscard]] std::size_t used() const noexcept { return used_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t peak() const noexcept { return peak_.load(std::memory_order_relaxed); }
    void reset_peak() noexcept { peak_.store(used(), std::memory_order_relaxed); }

    /// 0: none. Live arrays stay alive under a lower one.
    [[nodiscard]] std::size_t limit() const noexcept { return limit_.load(std::memory_order_relaxed); }
    void set_limit(std::size_t bytes) noexcept { limit_.store(bytes, std::memory_order_relaxed); }

private:
    std::atomic<std::size_t> used_{0}, peak_{0}, limit_;
};

/// The valid values of LIBGPU_MEMORY_LIMIT: bytes ("1000000", "512M", "8G") or a part of the device's memory ("50%").
/// @throws Error for anything else
std::size_t parse_memory_limit(const std::string& text, std::size_t total);

/// The account of a device's arrays. Never destroyed. @throws Error for an invalid LIBGPU_MEMORY_LIMIT.
MemoryAccount& memory_account(Device device);

/// Memory for an array in the device's current stream, counted and within the limit. @throws OutOfMemory
void* allocate_counted(Device device, std::size_t bytes);
void deallocate_counted(Device device, void* data, std::size_t bytes) noexcept;

}  // namespace gpu::detail
