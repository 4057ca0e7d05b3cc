// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "backend/device_event.hpp"
#include "base/fork_safe_mutex.hpp"
#include "runtime/memory/pool.hpp"

namespace gpu::detail {

/// The size allocated for a request: from 4 KiB on, four sizes between a power of two and the next, so that blocks are
/// reused and at most a quarter is wasted.
[[nodiscard]] constexpr std::size_t pinned_size_class(std::size_t bytes) {
    constexpr std::size_t min_bytes = 4096;
    if (bytes <= min_bytes) return min_bytes;
    if (bytes > SIZE_MAX / 4) return bytes;  // the system will refuse it
    const std::size_t step = std::bit_ceil(bytes) / 8;
    return (bytes + step - 1) / step * step;
}

/// Page-locked host memory of one backend. A block returned while copies still use it is handed out again only when
/// these are done. Thread-safe.
class PinnedBlocks {
public:
    explicit PinnedBlocks(Backend& backend) : backend_(backend) {}
    ~PinnedBlocks();
    PinnedBlocks(const PinnedBlocks&) = delete;
    PinnedBlocks& operator=(const PinnedBlocks&) = delete;

    /// @throws OutOfMemory
    void* allocate(int device, std::size_t bytes);
    void deallocate(void* data) noexcept;

    /// True if `data` lies in a block.
    [[nodiscard]] bool holds(const void* data);
    /// If it does: marks it as used by everything queued in the stream so far.
    void used_by(const void* data, int device, void* stream);

    /// Returns free blocks to the system; waits for copies that use them.
    void trim();

    [[nodiscard]] MemoryAccount& account() noexcept { return account_; }
    [[nodiscard]] std::size_t held() const;

private:
    struct Block {
        int device;
        std::size_t size, bytes;
        bool free;
        std::vector<DeviceEvent> uses;
    };

    [[nodiscard]] Block* block_of(const void* data) noexcept;
    void forget_reached(Block& block) noexcept;
    void wait_for(Block& block) noexcept;
    void* reuse(std::size_t size, std::size_t bytes);

    Backend& backend_;
    MemoryAccount account_;
    mutable ForkSafeMutex mutex_{ForkOrder::first};
    std::map<std::uintptr_t, Block> blocks_;
    std::multimap<std::size_t, std::uintptr_t> free_;  // by size
    std::size_t held_ = 0;
};

/// The pool of a backend. Never destroyed.
PinnedBlocks& pinned_blocks(BackendKind kind);
inline PinnedBlocks& pinned_blocks(Device device) { return pinned_blocks(device.kind()); }

}  // namespace gpu::detail
