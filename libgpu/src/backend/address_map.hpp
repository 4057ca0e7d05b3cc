// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include <gpu/dtype.hpp>

namespace gpu::detail {

/// A range of memory that a backend knows.
struct AddressRange {
    std::uintptr_t begin = 0;
    std::size_t length = 0;    ///< the range for lookups; the array may be smaller
    std::uintptr_t array = 0;  ///< the address of its first element
    std::size_t bytes = 0;     ///< of the array
    int device = 0;
    int elements = -1;  ///< their DType; -1: not known
};

/// Memory ranges that don't overlap. Looking up an address takes no lock and allocates nothing: signal handlers do it.
class AddressMap {
public:
    AddressMap() = default;
    AddressMap(const AddressMap&) = delete;
    AddressMap& operator=(const AddressMap&) = delete;

    void add(const AddressRange& range);
    void remove(std::uintptr_t begin) noexcept;
    /// Records the element type of the array that begins here, in one of the ranges.
    void describe(std::uintptr_t array, DType elements) noexcept;

    /// The range around an address. May miss ranges that are being added or removed concurrently.
    bool find(std::uintptr_t address, AddressRange& range) const noexcept;

private:
    /// One range. The version is odd while it changes.
    struct Slot {
        std::atomic<std::uint32_t> version{0};
        std::atomic<std::uintptr_t> begin{0}, array{0};
        std::atomic<std::size_t> length{0}, bytes{0};
        std::atomic<int> device{0}, elements{-1};
    };
    static constexpr std::size_t in_chunk = 256;
    struct Chunk {
        Slot slots[in_chunk];
        std::atomic<Chunk*> next{nullptr};
    };

    static void write(Slot& slot, const AddressRange& range) noexcept;
    static bool read(const Slot& slot, AddressRange& range) noexcept;

    std::mutex mutex_;
    Chunk first_;
    std::vector<std::unique_ptr<Chunk>> more_;
    std::size_t used_ = 0;  // slots that were ever used
    std::vector<Slot*> free_;
    std::map<std::uintptr_t, Slot*> taken_;  // by begin
};

/// True if this process has memory at the address: then it is a host pointer.
bool is_host_address(std::uintptr_t address) noexcept;

}  // namespace gpu::detail
