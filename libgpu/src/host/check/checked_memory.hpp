// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "host/base/abi.hpp"
#include "host/check/stamp.hpp"
#include "host/fibers/context_switch.hpp"
#include "host/memory/guarded_memory.hpp"
#include "host/modules/checked_module.hpp"

namespace gpu::detail::host {

/// Where a piece of memory lives.
enum class Space : std::uint8_t { global, shared, module };

/// Memory of zeros that is taken only where it is touched.
class ZeroedMemory {
public:
    ZeroedMemory() = default;
    explicit ZeroedMemory(std::size_t bytes);  ///< @throws OutOfMemory
    ~ZeroedMemory();
    ZeroedMemory(ZeroedMemory&& other) noexcept;
    ZeroedMemory& operator=(ZeroedMemory&& other) noexcept;

    template <class T>
    [[nodiscard]] T* as() const noexcept {
        return static_cast<T*>(data_);
    }
    void clear() noexcept;

private:
    void* data_ = nullptr;
    std::size_t bytes_ = 0;
};

/// An array or variable, and what is known of each of its elements. Cells are as large as the accesses to it: the first
/// one decides, and a smaller one later splits them, so neighbours are never taken for one another.
class CheckedArray {
public:
    CheckedArray(Space where, std::uintptr_t first, std::size_t length) : start(first), bytes(length), space(where) {}

    /// Where cells of accesses of `size` bytes at `offset` begin; their number is `size >> shift()`. May split cells.
    GPU_HOT_ON_KERNEL_STACK Cell* cells(std::size_t offset, std::size_t size) {
        if (__builtin_expect(must_split(offset, size), 0)) split(offset | size);
        return cells_ + (offset >> shift_);
    }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK bool must_split(std::size_t offset, std::size_t size) const noexcept {
        return ((offset | size) & mask_) != 0;
    }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK unsigned shift() const noexcept { return shift_; }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK Cell& cell(std::size_t index) const noexcept { return cells_[index]; }
    /// By cell: for whom it is vetted.
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK Stamp* vetted() const noexcept { return vetted_; }
    GPU_HOT_ON_KERNEL_STACK void forget_vetted(const Cell* cell) const noexcept { vetted_[cell - cells_] = 0; }

    /// Nothing has been written yet.
    void forget_values();
    /// All of it counts as written.
    void all_initialized() noexcept { bits_ = nullptr; }
    [[nodiscard]] GPU_HOT_ON_KERNEL_STACK bool tracks_values() const noexcept { return bits_ != nullptr; }
    [[nodiscard]] bool initialized(std::size_t offset, std::size_t size) const noexcept;
    /// True if none of these bytes has been written.
    [[nodiscard]] bool untouched(std::size_t offset, std::size_t size) const noexcept;
    void initialize(std::size_t offset, std::size_t size) noexcept;
    /// No access is remembered any more.
    void forget_accesses() noexcept { memory_.clear(); }

    const std::uintptr_t start;
    const std::size_t bytes;
    const Space space;
    bool freed = false;
    bool is_heap = false;      ///< all pieces of the kernels' heap: each access asks for its piece
    bool is_constant = false;  ///< a __constant__ variable
    bool is_never_set = false;
    std::string name;      ///< of a variable; of an array while a kernel runs that has it as a parameter
    unsigned element = 0;  ///< the size of the elements in which accesses are counted; 0: not known
    static constexpr std::size_t locked = 256;  ///< bytes that share a lock
    std::atomic<std::uint8_t> locks[64] = {};  ///< where several workers share it

private:
    void split(std::size_t alignment);

    Cell* cells_ = nullptr;
    Stamp* vetted_ = nullptr;            // apart from the cells: all that most reads look at
    std::size_t mask_ = ~std::size_t{0};  // of the cells' size; until there are cells, every access is too small
    unsigned shift_ = 0;
    std::uint64_t* bits_ = nullptr;  // one a byte: written?
    ZeroedMemory memory_, bit_memory_;
};

/// The device arrays of all devices while a check goes on, as far as kernels or copies have touched them.
class CheckedMemory {
public:
    /// The array that an address lies in, or null. `memory` is the device's.
    CheckedArray* find(const GuardedMemory& memory, std::uintptr_t address);
    /// The array around `data` if a kernel or copy has touched it in this check, else null.
    CheckedArray* known(const void* data) noexcept;
    /// Memory that isn't the devices' own, and that kernels may access all the same: what arrays were made of by
    /// gpu::wrap, and page-locked memory.
    void add_foreign(const void* data, std::size_t bytes);
    /// The piece of so many bytes that begins here; 0: all that do.
    void remove_foreign(const void* data, std::size_t bytes) noexcept;
    [[nodiscard]] bool is_foreign(std::uintptr_t address);

    /// These bytes have been written from outside of checked kernels.
    void written(GuardedMemory& memory, std::uintptr_t address, std::size_t bytes);
    /// The array that begins here is gone.
    void forget(const void* data) noexcept;
    /// All serials begin anew.
    void forget_accesses() noexcept;
    /// The check has ended: what it knows of written arrays goes back to the device.
    void clear() noexcept;

private:
    struct Entry {
        std::unique_ptr<CheckedArray> array;
        const GuardedMemory* memory;
    };
    bool find_foreign(std::uintptr_t address, NearArray& array) const;

    std::mutex mutex_;
    std::multimap<std::uintptr_t, std::size_t> foreign_;  // where it begins, and its bytes; pieces may overlap
    std::map<std::uintptr_t, Entry> arrays_;              // by start
};

/// The heap of checked kernels. No address is given twice in a check, so that memory is known to have been freed;
/// pieces lie apart, so that an index past the end of one is noticed.
class CheckedHeap {
public:
    /// Where a piece was allocated.
    struct Origin {
        std::shared_ptr<CheckedModule> module;
        std::string kernel;
        std::size_t site = 0;
        uint3 block{}, thread{};
    };
    struct Piece {
        std::uintptr_t start = 0;
        std::size_t bytes = 0;
        bool is_free = false;
        std::size_t origin = 0;
    };
    /// Pieces of one instruction that nobody has freed.
    struct Leak {
        Origin first;
        std::uint64_t pieces = 0, bytes = 0;
    };

    /// Null where not enough is left, of the limit that kernels have or of this check's addresses.
    void* allocate(unsigned long long bytes, const Origin& origin);
    /// False: no piece that is still allocated begins there.
    bool release(const void* data);

    /// True of any address that a piece may have had.
    [[nodiscard]] bool holds(std::uintptr_t address) const noexcept { return address - begin_ < end_ - begin_; }
    /// What remembers accesses to all pieces.
    [[nodiscard]] CheckedArray* array() const noexcept { return array_.get(); }
    /// The piece that an address lies in, or behind. One without bytes: there is none.
    [[nodiscard]] Piece piece_at(std::uintptr_t address) const;
    [[nodiscard]] bool is_allocated(std::uintptr_t address, std::size_t bytes) const;

    [[nodiscard]] std::vector<Leak> leaks() const;
    /// All serials begin anew.
    void forget_accesses() noexcept;
    void clear() noexcept;

private:
    bool begin();

    mutable std::mutex mutex_;
    std::uintptr_t begin_ = 0, end_ = 0, next_ = 0;
    std::size_t used_ = 0;
    std::unique_ptr<CheckedArray> array_;
    std::map<std::uintptr_t, Piece> pieces_;  // by start
    std::vector<Origin> origins_;
    std::map<std::pair<const CheckedModule*, std::size_t>, std::size_t> numbers_;  // of origins
};

}  // namespace gpu::detail::host
