// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include <gpu/export.hpp>

namespace gpu {

/// What this process has done with the cache of compiled kernels, and what is in it now.
struct CacheStatistics {
    std::uint64_t hits = 0;       ///< kernels that this process took from the disk
    std::uint64_t misses = 0;     ///< kernels that it had to compile
    std::uint64_t evictions = 0;  ///< files that it removed because all of them together were beyond the limit
    std::uint64_t files = 0;      ///< kernels on the disk, whoever put them there
    std::uint64_t bytes = 0;      ///< and their size
};

/// The compiled kernels on this machine's disk, which all programs of a user share. A value that names the cache.
///
/// A kernel is found again if nothing that it depends on has changed: its text with the files that it includes, its
/// options, the device's architecture, the compiler. Beyond the limit, the least recently used kernels are removed. A
/// cache that can't be read or written isn't an error: each program then compiles its kernels again.
/// @snippet public/kernel_cache_test.cpp kernel_cache
class GPU_API KernelCache {
public:
    /// LIBGPU_CACHE_DIR if it is set, else libgpu in XDG_CACHE_HOME or in ~/.cache; empty: there is no cache.
    [[nodiscard]] std::string folder() const;
    /// In bytes, from LIBGPU_CACHE_LIMIT ("512M", "2G"): 256 MiB unless that says otherwise; 0: none.
    [[nodiscard]] std::uint64_t limit() const;
    /// Counts since the program started, and the files as they are now.
    [[nodiscard]] CacheStatistics statistics() const;
    /// Removes all compiled kernels from the disk. Those that are loaded keep working.
    void clear();
};

/// The cache of compiled kernels.
[[nodiscard]] GPU_API KernelCache kernel_cache() noexcept;

}  // namespace gpu
