// SPDX-License-Identifier: MIT
#include "host/check/checked_memory.hpp"

#include <algorithm>

namespace gpu::detail::host {

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

}  // namespace gpu::detail::host
