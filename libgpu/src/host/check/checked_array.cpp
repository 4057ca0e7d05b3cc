// SPDX-License-Identifier: MIT
#include "host/check/checked_array.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <utility>

#include <gpu/error.hpp>

namespace gpu::detail::host {

namespace {

constexpr std::size_t huge = std::size_t{4} << 20;

// Calls f(word, mask) for each word of the bits [from, from + count).
template <class F>
bool for_words(std::size_t from, std::size_t count, F&& f) {
    while (count > 0) {
        const std::size_t bit = from % 64, here = std::min(count, 64 - bit);
        const std::uint64_t ones = here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1;
        if (!f(from / 64, ones << bit)) return false;
        from += here;
        count -= here;
    }
    return true;
}

}  // namespace

ZeroedMemory::ZeroedMemory(std::size_t bytes) : bytes_(std::max<std::size_t>(bytes, 1)) {
    void* const memory =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw OutOfMemory(bytes_, {}, "check mode (what it remembers of each element)");
    if (bytes_ >= huge) ::madvise(memory, bytes_, MADV_HUGEPAGE);
    data_ = memory;
}

ZeroedMemory::~ZeroedMemory() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
}

ZeroedMemory::ZeroedMemory(ZeroedMemory&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

ZeroedMemory& ZeroedMemory::operator=(ZeroedMemory&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
}

void ZeroedMemory::clear() noexcept {
    if (data_ != nullptr) ::madvise(data_, bytes_, MADV_DONTNEED);
}

void CheckedArray::split(std::size_t alignment) {
    const auto wanted = static_cast<unsigned>(std::min(std::countr_zero(alignment), 4));
    const std::size_t count = (bytes >> wanted) + 2;
    ZeroedMemory more(count * (sizeof(Cell) + sizeof(Stamp)));
    if (cells_ != nullptr) {
        const std::size_t old_count = (bytes + (std::size_t{1} << shift_) - 1) >> shift_;
        const std::size_t parts = std::size_t{1} << (shift_ - wanted);
        for (std::size_t k = 0; k < old_count; ++k) {
            const Cell cell = cells_[k];
            if ((cell.write | cell.read[0] | cell.read[1]) == 0) continue;
            for (std::size_t part = k * parts; part < std::min((k + 1) * parts, count); ++part)
                more.as<Cell>()[part] = cell;
        }
    }
    memory_ = std::move(more);
    cells_ = memory_.as<Cell>();
    vetted_ = reinterpret_cast<Stamp*>(cells_ + count);
    shift_ = wanted;
    mask_ = (std::size_t{1} << wanted) - 1;
}

void CheckedArray::forget_values() {
    bit_memory_ = ZeroedMemory((bytes + 63) / 64 * 8);
    bits_ = bit_memory_.as<std::uint64_t>();
}

bool CheckedArray::initialized(std::size_t offset, std::size_t size) const noexcept {
    return bits_ == nullptr || for_words(offset, size, [this](std::size_t word, std::uint64_t mask) {
               return (std::atomic_ref(bits_[word]).load(std::memory_order_relaxed) & mask) == mask;
           });
}

bool CheckedArray::untouched(std::size_t offset, std::size_t size) const noexcept {
    return bits_ != nullptr && for_words(offset, size, [this](std::size_t word, std::uint64_t mask) {
               return (std::atomic_ref(bits_[word]).load(std::memory_order_relaxed) & mask) == 0;
           });
}

void CheckedArray::initialize(std::size_t offset, std::size_t size) noexcept {
    if (bits_ == nullptr) return;
    for_words(offset, size, [this](std::size_t word, std::uint64_t mask) {
        std::atomic_ref bits(bits_[word]);
        if ((bits.load(std::memory_order_relaxed) & mask) != mask) bits.fetch_or(mask, std::memory_order_relaxed);
        return true;
    });
}

}  // namespace gpu::detail::host
