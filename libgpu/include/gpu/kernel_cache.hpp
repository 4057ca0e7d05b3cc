// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <gpu/export.hpp>

namespace gpu {

/// This process's use of the cache of compiled kernels, and the cache's present contents.
struct CacheStatistics {
    std::uint64_t hits = 0;       ///< kernels that this process read from disk
    std::uint64_t misses = 0;     ///< kernels that it had to compile
    std::uint64_t evictions = 0;  ///< files that it removed because the total was above the limit
    std::uint64_t files = 0;      ///< kernels on disk, from all processes
    std::uint64_t bytes = 0;      ///< their total size
};

/// The compiled kernels on this machine's disk, shared by all programs of a user. A value that refers to the cache.
///
/// A kernel is reused if nothing that it depends on has changed: its text with the files that it includes, its options,
/// the device's architecture, the compiler. Above the limit, the least recently used kernels are removed. A cache that
/// can't be read or written isn't an error: each program then compiles its kernels again.
/// @snippet public/kernel_cache_test.cpp kernel_cache
class GPU_API KernelCache {
public:
    /// LIBGPU_CACHE_DIR if it is set, otherwise libgpu in XDG_CACHE_HOME or in ~/.cache; empty: there is no cache.
    [[nodiscard]] std::string folder() const;
    /// In bytes, from LIBGPU_CACHE_LIMIT ("512M", "2G"), otherwise 256 MiB; 0: no limit.
    [[nodiscard]] std::uint64_t limit() const;
    /// Counts since the program started, and the files as they are now.
    [[nodiscard]] CacheStatistics statistics() const;
    /// Removes all compiled kernels from the disk. Those that are loaded keep working.
    void clear();
};

/// The cache of compiled kernels.
[[nodiscard]] GPU_API KernelCache kernel_cache() noexcept;

}  // namespace gpu
