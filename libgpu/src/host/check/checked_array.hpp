// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "host/check/stamp.hpp"
#include "host/fibers/context_switch.hpp"

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

}  // namespace gpu::detail::host
