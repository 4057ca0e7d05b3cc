// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include <gpu/device.hpp>
#include <gpu/error.hpp>
#include <gpu/export.hpp>

namespace gpu {

/// The memory of one device as libgpu uses it. A value that names the pool; the pool itself always exists.
///
/// Freed arrays go back to the pool, not to the system, so that the next array costs next to nothing. A buffer is
/// reused only by work that comes after everything that was queued when it was freed, in any stream.
/// @snippet public/pool_test.cpp memory_pool
class GPU_API MemoryPool {
public:
    [[nodiscard]] Device device() const noexcept { return device_; }

    /// Bytes in existing arrays.
    [[nodiscard]] std::size_t used_bytes() const;
    /// Bytes that libgpu has taken from the system: used, waiting to be freed, and kept for later arrays.
    [[nodiscard]] std::size_t held_bytes() const;
    /// The most bytes that were used at a time, since the start or the last reset_peak().
    [[nodiscard]] std::size_t peak_bytes() const;
    void reset_peak();
    /// All these numbers at one moment, with the device's total and free memory.
    [[nodiscard]] MemoryUse use() const;

    /// From now on an array that would bring used_bytes() above the limit is an OutOfMemory; 0: no limit. Existing
    /// arrays stay. LIBGPU_MEMORY_LIMIT ("512M", "50%") sets it for every device when the program starts.
    void set_limit(std::size_t bytes);
    [[nodiscard]] std::size_t limit() const;  ///< 0: none

    /// Waits for the device, and returns memory that no array uses to the system.
    void trim();

private:
    friend GPU_API MemoryPool memory_pool(Device device) noexcept;
    friend GPU_API MemoryPool memory_pool();
    explicit MemoryPool(Device device) noexcept : device_(device) {}

    Device device_;
};

/// The pool of a device, or of the current one.
[[nodiscard]] GPU_API MemoryPool memory_pool(Device device) noexcept;
[[nodiscard]] GPU_API MemoryPool memory_pool();

/// The page-locked host memory of gpu::Pinned. Freed memory is kept, and reused once the copies that were queued when
/// it was freed are done.
/// @snippet public/pool_test.cpp pinned_pool
class GPU_API PinnedPool {
public:
    /// Bytes in existing gpu::Pinned objects.
    [[nodiscard]] std::size_t used_bytes() const;
    /// Bytes that libgpu has taken from the system; sizes are rounded up by at most a quarter.
    [[nodiscard]] std::size_t held_bytes() const;
    /// The most bytes that were used at a time, since the start or the last reset_peak().
    [[nodiscard]] std::size_t peak_bytes() const;
    void reset_peak();
    /// From now on more than this in gpu::Pinned is an OutOfMemory; 0: no limit.
    void set_limit(std::size_t bytes);
    [[nodiscard]] std::size_t limit() const;  ///< 0: none
    /// Returns unused memory to the system; waits for copies that still use it.
    void trim();

private:
    friend GPU_API PinnedPool pinned_pool();
    explicit PinnedPool(BackendKind kind) noexcept : kind_(kind) {}

    BackendKind kind_;
};

/// The pool of the current device's backend.
[[nodiscard]] GPU_API PinnedPool pinned_pool();

/// The arrays of the current device that were written beyond their ends, one per line; empty if none was. Waits.
///
/// On a GPU this needs LIBGPU_GUARD=1 in the environment when the arrays are made: then each lies between guard words.
/// On the host backend arrays end at a guard page, and a kernel that runs over it fails at once.
/// @snippet public/memory_test.cpp damaged_arrays
[[nodiscard]] GPU_API std::string damaged_arrays();

}  // namespace gpu
