// SPDX-License-Identifier: MIT
#include "host/check/checked_memory.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include <sys/mman.h>

#include <gpu/error.hpp>

#include "host/device_library/device_heap.hpp"

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

CheckedArray* CheckedMemory::find(const GuardedMemory& memory, std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    if (auto after = arrays_.upper_bound(address); after != arrays_.begin()) {
        CheckedArray& array = *(--after)->second.array;
        if (address - array.start < array.bytes) return &array;
    }
    NearArray near;
    const bool is_own = memory.find(address, near) && !near.freed && address - near.start < near.bytes;
    if (!is_own && !find_foreign(address, near)) return nullptr;
    auto array = std::make_unique<CheckedArray>(Space::global, near.start, near.bytes);
    if (!near.written) array->forget_values();
    if (near.dtype >= 0) array->element = static_cast<unsigned>(size_of(static_cast<DType>(near.dtype)));
    CheckedArray* const result = array.get();
    arrays_[near.start] = {std::move(array), &memory};
    return result;
}

// All pieces that overlap are one.
bool CheckedMemory::find_foreign(std::uintptr_t address, NearArray& array) const {
    std::uintptr_t begin = address, end = address + 1;
    bool is_found = false;
    for (bool grows = true; grows;) {
        grows = false;
        for (const auto& [start, bytes] : foreign_) {
            if (start >= end || start + bytes <= begin) continue;
            grows = grows || start < begin || start + bytes > end;
            is_found = true;
            begin = std::min(begin, start);
            end = std::max(end, start + bytes);
        }
    }
    if (is_found) array = {.start = begin, .bytes = end - begin, .name = {}, .freed = false, .written = true};
    return is_found;
}

void CheckedMemory::add_foreign(const void* data, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    const auto start = reinterpret_cast<std::uintptr_t>(data);
    if (bytes > 0) foreign_.emplace(start, bytes);
}

void CheckedMemory::remove_foreign(const void* data, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const auto start = reinterpret_cast<std::uintptr_t>(data);
    for (auto piece = foreign_.lower_bound(start); piece != foreign_.end() && piece->first == start;) {
        const std::uintptr_t end = start + piece->second;
        if (bytes != 0 && piece->second != bytes) {
            ++piece;
            continue;
        }
        std::erase_if(arrays_, [&](const auto& entry) {
            return entry.first < end && start < entry.first + entry.second.array->bytes;
        });
        piece = foreign_.erase(piece);
        if (bytes != 0) return;
    }
}

bool CheckedMemory::is_foreign(std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    NearArray array;
    return find_foreign(address, array);
}

CheckedArray* CheckedMemory::known(const void* data) noexcept {
    const std::lock_guard lock(mutex_);
    const auto address = reinterpret_cast<std::uintptr_t>(data);
    auto after = arrays_.upper_bound(address);
    if (after == arrays_.begin()) return nullptr;
    CheckedArray& array = *(--after)->second.array;
    return address - array.start <= array.bytes ? &array : nullptr;
}

void CheckedMemory::written(GuardedMemory& memory, std::uintptr_t address, std::size_t bytes) {
    if (bytes == 0) return;
    CheckedArray* const array = find(memory, address);
    if (array == nullptr) return;
    const std::size_t offset = address - array->start, left = array->bytes - offset;
    array->initialize(offset, bytes < left ? bytes : left);
}

void CheckedMemory::forget(const void* data) noexcept {
    const std::lock_guard lock(mutex_);
    arrays_.erase(reinterpret_cast<std::uintptr_t>(data));
}

void CheckedMemory::forget_accesses() noexcept {
    const std::lock_guard lock(mutex_);
    for (auto& [start, entry] : arrays_) entry.array->forget_accesses();
}

void CheckedMemory::clear() noexcept {
    const std::lock_guard lock(mutex_);
    for (auto& [start, entry] : arrays_)
        if (!entry.array->untouched(0, entry.array->bytes))
            const_cast<GuardedMemory*>(entry.memory)->mark_written(reinterpret_cast<const void*>(start));
    arrays_.clear();
}

namespace {

constexpr std::size_t address_bytes = std::size_t{64} << 20, gap = 64;

}  // namespace

bool CheckedHeap::begin() {
    if (array_ != nullptr) return true;
    // For the whole process: a kernel outside of checks may still have a pointer there.
    static void* const memory = ::mmap(nullptr, address_bytes, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    begin_ = reinterpret_cast<std::uintptr_t>(memory);
    end_ = begin_ + address_bytes;
    next_ = begin_ + gap;
    array_ = std::make_unique<CheckedArray>(Space::global, begin_, address_bytes);
    array_->is_heap = true;
    array_->forget_values();
    return true;
}

void* CheckedHeap::allocate(unsigned long long bytes, const Origin& origin) {
    const std::lock_guard lock(mutex_);
    if (bytes > device_heap_bytes || !begin()) return nullptr;
    const std::size_t taken = heap_piece(bytes);
    if (used_ + taken > device_heap_bytes || next_ + taken + gap > end_) return nullptr;
    const auto [number, is_new] = numbers_.try_emplace({origin.module.get(), origin.site}, origins_.size());
    if (is_new) origins_.push_back(origin);
    const std::uintptr_t start = next_;
    pieces_[start] = {start, static_cast<std::size_t>(bytes), false, number->second};
    next_ += taken + gap;
    used_ += taken;
    return reinterpret_cast<void*>(start);
}

bool CheckedHeap::release(const void* data) {
    if (data == nullptr) return true;
    const std::lock_guard lock(mutex_);
    const auto piece = pieces_.find(reinterpret_cast<std::uintptr_t>(data));
    if (piece == pieces_.end() || piece->second.is_free) return false;
    piece->second.is_free = true;
    used_ -= heap_piece(piece->second.bytes);
    return true;
}

CheckedHeap::Piece CheckedHeap::piece_at(std::uintptr_t address) const {
    const std::lock_guard lock(mutex_);
    const auto behind = pieces_.upper_bound(address);
    return behind == pieces_.begin() ? Piece{} : std::prev(behind)->second;
}

bool CheckedHeap::is_allocated(std::uintptr_t address, std::size_t bytes) const {
    const Piece piece = piece_at(address);
    return !piece.is_free && piece.start != 0 && address - piece.start + bytes <= piece.bytes;
}

std::vector<CheckedHeap::Leak> CheckedHeap::leaks() const {
    const std::lock_guard lock(mutex_);
    std::vector<Leak> all(origins_.size());
    for (const auto& [start, piece] : pieces_) {
        if (piece.is_free) continue;
        Leak& leak = all[piece.origin];
        leak.first = origins_[piece.origin];
        ++leak.pieces;
        leak.bytes += piece.bytes;
    }
    std::erase_if(all, [](const Leak& leak) { return leak.pieces == 0; });
    return all;
}

void CheckedHeap::forget_accesses() noexcept {
    const std::lock_guard lock(mutex_);
    if (array_ != nullptr) array_->forget_accesses();
}

void CheckedHeap::clear() noexcept {
    const std::lock_guard lock(mutex_);
    array_.reset();
    pieces_.clear();
    origins_.clear();
    numbers_.clear();
    begin_ = end_ = next_ = 0;
    used_ = 0;
}

}  // namespace gpu::detail::host
