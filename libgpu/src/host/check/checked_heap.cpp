// SPDX-License-Identifier: MIT
#include "host/check/checked_heap.hpp"

#include <sys/mman.h>

#include <utility>

#include "host/device_library/device_heap.hpp"

namespace gpu::detail::host {

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
