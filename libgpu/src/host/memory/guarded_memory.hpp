// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gpu/error.hpp>

#include "backend/address_map.hpp"
#include "base/fork_safe_mutex.hpp"
#include "host/memory/fault.hpp"

namespace gpu::detail::host {

/// The memory of one host device. Each array ends at a guard, so that the first element past its end faults. Arrays
/// begin at a multiple of 16, as float4 requires, or of 8, 4 or 2 if they are smaller than that; up to 15 bytes may
/// then lie between the end and the guard. These bytes, and those between the front guard and the start, hold a pattern
/// that reveals writes.
///
/// Freed arrays are kept for a while, inaccessible: use after free faults, and the next array of that size needs no
/// pages that the system must clear first. Small arrays whose address has never been handed out stay accessible, as
/// nobody can use them after they are freed: making pages inaccessible takes longer than most work on small arrays.
class GuardedMemory {
public:
    /// @param where "host:0", for messages. @param capacity maximum bytes held at a time.
    GuardedMemory(std::string where, std::size_t capacity);
    ~GuardedMemory();
    GuardedMemory(const GuardedMemory&) = delete;
    GuardedMemory& operator=(const GuardedMemory&) = delete;

    /// @throws OutOfMemory
    void* allocate(std::size_t bytes);
    void deallocate(void* data) noexcept;

    /// Finds the array in whose mapping, guards included, the address lies; leaves its name empty. False: none.
    bool find(std::uintptr_t address, NearArray& array) const;

    /// The contents from `table` to the end of its array, read as addresses; empty if it is in no array.
    [[nodiscard]] std::vector<std::uintptr_t> addresses_in(const void* table) const;

    /// Marks the array around `data` as written.
    void mark_written(const void* data) noexcept;

    /// Records the type and shape of the array that begins at `data`.
    void describe(const void* data, DType elements, const Shape& shape) noexcept;

    // Watched memory is accessible only between open() and close(): any other access faults.
    /// Adds all arrays to `ranges`, including later ones, and closes them.
    void watch(AddressMap& ranges);
    void end_watch() noexcept;
    void open() noexcept;
    void close() noexcept;
    /// Others than libgpu's own kernels may keep this array's address from now on.
    void hand_out(const void* data) noexcept;
    /// Stops watching the array around `data` for the rest of its life.
    void lend(const void* data) noexcept;

    /// The distance in bytes from the start of the array at `data` to the farthest changed byte before it; 0 if none
    /// changed. Restores the pattern.
    std::size_t changed_before(const void* data);
    /// The same between the array's end and its guard.
    std::size_t changed_after(const void* data);

    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] MemoryUse use() const;

    /// Gives back freed arrays, the oldest first, until at most this many bytes of them are kept.
    void trim(std::size_t max_kept) noexcept;
    /// Limits the bytes of freed arrays that are kept; 0: the initial limit.
    void limit_kept(std::size_t bytes) noexcept;

private:
    struct Region {
        std::uintptr_t start = 0;  // of the accessible pages; the mapping has a guard on each side
        std::size_t length = 0;    // of the accessible pages
        std::size_t bytes = 0;     // of the array, which ends where they end, or a little before
        std::uint64_t freed = 0;   // when, counted in frees; 0: alive
        bool written = false;      // by a copy or a kernel, since it was allocated
        bool lent = false;         // to code outside libgpu, which may access it at any time
        bool handed_out = false;   // its address: see hand_out()
        bool ready = false;        // freed, and still accessible
        int elements = -1;         // their DType; -1: not known
        Shape shape{};             // as it was created
        [[nodiscard]] std::uintptr_t data() const noexcept { return end() - bytes; }
        [[nodiscard]] std::uintptr_t end() const noexcept { return start + length - -bytes % alignment(); }
        [[nodiscard]] std::size_t alignment() const noexcept {
            return bytes == 0 ? 1 : std::min<std::size_t>(std::bit_floor(bytes), 16);
        }
    };
    using Regions = std::map<std::uintptr_t, Region>;  // by start
    /// Starts of freed regions of one length, the oldest first.
    struct Kept {
        std::deque<std::uintptr_t> at_rest, ready;
    };

    [[nodiscard]] OutOfMemory no_room_for(std::size_t bytes) const;
    [[nodiscard]] MemoryUse use_now() const noexcept;
    Region* make(std::size_t bytes, std::size_t length);
    Region* reuse(std::size_t bytes, std::size_t length);
    void drop_oldest() noexcept;
    [[nodiscard]] static std::size_t changed(const Region& region) noexcept;
    [[nodiscard]] static std::size_t changed_behind(const Region& region) noexcept;
    static void fill_pattern(const Region& region) noexcept;
    [[nodiscard]] static bool set_access(const Region& region, bool is_accessible) noexcept;
    Region* region_of(const void* data);
    void watch(const Region& region);
    void unwatch(const Region& region) noexcept;

    const std::string where_;
    const std::size_t capacity_;
    std::size_t max_kept_;
    mutable ForkSafeMutex mutex_;
    Regions regions_;
    std::map<std::size_t, Kept> kept_by_length_;
    std::map<std::uint64_t, std::uintptr_t> kept_by_age_;
    decltype(kept_by_age_)::node_type spare_;  // of an array that was reused, for the next one that is freed
    std::size_t held_ = 0, kept_ = 0;  // bytes of arrays; of whole pages
    std::size_t mapped_ = 0;            // of whole pages, in use and kept
    std::uint64_t frees_ = 0;
    AddressMap* watch_ = nullptr;
    bool is_open_ = true;
    std::set<std::uintptr_t> watched_;  // starts
};

/// Bytes of each device: LIBGPU_HOST_MEMORY ("512M", "8G", bytes), otherwise its share of the machine's memory.
/// @throws Error for anything else.
std::size_t memory_capacity(int devices);

/// The arrays that a kernel may have written to through this argument, pointers to pointers; null for a pointer that
/// points to none. Empty for other arguments.
[[nodiscard]] std::vector<const void*> written_through(const GuardedMemory& memory, const gpu_parameter& parameter,
                                                       const void* argument);

}  // namespace gpu::detail::host
