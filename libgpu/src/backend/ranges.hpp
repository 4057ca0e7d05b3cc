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

/// A piece of memory that a backend knows.
struct AddressRange {
    std::uintptr_t begin = 0;
    std::size_t length = 0;    ///< what is looked up; the array may be smaller
    std::uintptr_t array = 0;  ///< where its first element is
    std::size_t bytes = 0;     ///< of the array
    int device = 0;
    int elements = -1;  ///< their DType; -1: not known
};

/// Pieces of memory that don't overlap. Looking an address up takes no lock and allocates nothing: signal handlers do
/// it.
class AddressRanges {
public:
    AddressRanges() = default;
    AddressRanges(const AddressRanges&) = delete;
    AddressRanges& operator=(const AddressRanges&) = delete;

    void add(const AddressRange& range);
    void remove(std::uintptr_t begin) noexcept;
    /// The array that begins here, in one of the ranges, has such elements.
    void describe(std::uintptr_t array, DType elements) noexcept;

    /// The range around an address. What is added or removed at this moment may be missed.
    bool find(std::uintptr_t address, AddressRange& range) const noexcept;

private:
    /// One range. Odd while it changes.
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

/// True if this process has memory at the address: what host pointers point to.
bool is_host_address(std::uintptr_t address) noexcept;

}  // namespace gpu::detail
