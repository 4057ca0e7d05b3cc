// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "host/check/checked_array.hpp"
#include "host/memory/guarded_memory.hpp"

namespace gpu::detail::host {

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

}  // namespace gpu::detail::host
