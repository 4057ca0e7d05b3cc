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
    std::mutex mutex_;
    std::map<std::uintptr_t, Entry> arrays_;  // by start
};

}  // namespace gpu::detail::host
