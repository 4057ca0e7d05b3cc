// SPDX-License-Identifier: MIT
#include "host/check/checked_memory.hpp"

namespace gpu::detail::host {

CheckedArray* CheckedMemory::find(const GuardedMemory& memory, std::uintptr_t address) {
    const std::lock_guard lock(mutex_);
    if (auto after = arrays_.upper_bound(address); after != arrays_.begin()) {
        CheckedArray& array = *(--after)->second.array;
        if (address - array.start < array.bytes) return &array;
    }
    NearArray near;
    if (!memory.find(address, near) || near.freed || address - near.start >= near.bytes) return nullptr;
    auto array = std::make_unique<CheckedArray>(Space::global, near.start, near.bytes);
    if (!near.written) array->forget_values();
    CheckedArray* const result = array.get();
    arrays_[near.start] = {std::move(array), &memory};
    return result;
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
