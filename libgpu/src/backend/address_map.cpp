// SPDX-License-Identifier: MIT
#include "backend/address_map.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace gpu::detail {

void AddressMap::write(Slot& slot, const AddressRange& range) noexcept {
    slot.version.fetch_add(1, std::memory_order_acq_rel);
    std::atomic_thread_fence(std::memory_order_release);
    slot.begin.store(range.begin, std::memory_order_relaxed);
    slot.length.store(range.length, std::memory_order_relaxed);
    slot.array.store(range.array, std::memory_order_relaxed);
    slot.bytes.store(range.bytes, std::memory_order_relaxed);
    slot.device.store(range.device, std::memory_order_relaxed);
    slot.elements.store(range.elements, std::memory_order_relaxed);
    slot.version.fetch_add(1, std::memory_order_release);
}

bool AddressMap::read(const Slot& slot, AddressRange& range) noexcept {
    const std::uint32_t before = slot.version.load(std::memory_order_acquire);
    range.begin = slot.begin.load(std::memory_order_relaxed);
    range.length = slot.length.load(std::memory_order_relaxed);
    range.array = slot.array.load(std::memory_order_relaxed);
    range.bytes = slot.bytes.load(std::memory_order_relaxed);
    range.device = slot.device.load(std::memory_order_relaxed);
    range.elements = slot.elements.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    return before % 2 == 0 && slot.version.load(std::memory_order_relaxed) == before;
}

void AddressMap::add(const AddressRange& range) {
    const std::lock_guard lock(mutex_);
    free_.reserve(used_ + 1);  // so that remove() allocates nothing
    Slot*& slot = taken_.try_emplace(range.begin, nullptr).first->second;
    if (slot == nullptr && !free_.empty()) {
        slot = free_.back();
        free_.pop_back();
    } else if (slot == nullptr) {
        const std::size_t chunk = used_ / in_chunk;
        if (chunk > more_.size()) {
            Chunk& last = more_.empty() ? first_ : *more_.back();
            more_.push_back(std::make_unique<Chunk>());
            last.next.store(more_.back().get(), std::memory_order_release);
        }
        slot = &(chunk == 0 ? first_ : *more_[chunk - 1]).slots[used_++ % in_chunk];
    }
    write(*slot, range);
}

void AddressMap::remove(std::uintptr_t begin) noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = taken_.find(begin);
    if (found == taken_.end()) return;
    write(*found->second, {});
    free_.push_back(found->second);
    taken_.erase(found);
}

void AddressMap::describe(std::uintptr_t array, DType elements) noexcept {
    const std::lock_guard lock(mutex_);
    auto found = taken_.upper_bound(array);
    if (found == taken_.begin()) return;
    Slot& slot = *(--found)->second;
    AddressRange range;
    if (!read(slot, range) || array - range.begin > range.length) return;
    range.bytes -= array - range.array;
    range.array = array;
    range.elements = static_cast<int>(elements);
    write(slot, range);
}

bool AddressMap::find(std::uintptr_t address, AddressRange& range) const noexcept {
    for (const Chunk* chunk = &first_; chunk != nullptr; chunk = chunk->next.load(std::memory_order_acquire)) {
        for (const Slot& slot : chunk->slots) {
            if (address - slot.begin.load(std::memory_order_relaxed) >= slot.length.load(std::memory_order_relaxed))
                continue;
            if (read(slot, range) && address - range.begin < range.length) return true;
        }
    }
    return false;
}

bool is_host_address(std::uintptr_t address) noexcept {
    static const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    unsigned char state = 0;
    return ::mincore(reinterpret_cast<void*>(address & ~(page - 1)), 1, &state) == 0;
}

}  // namespace gpu::detail
