// SPDX-License-Identifier: MIT
#include <gpu/kernel_cache.hpp>

#include "jit/file_cache.hpp"

namespace gpu {

using detail::FileCache;

KernelCache kernel_cache() noexcept { return {}; }

std::string KernelCache::folder() const { return detail::cache_folder().string(); }
std::uint64_t KernelCache::limit() const { return detail::cache_limit(); }

CacheStatistics KernelCache::statistics() const {
    const detail::CacheCounters& counters = detail::cache_counters();
    CacheStatistics result{.hits = counters.hits, .misses = counters.misses, .evictions = counters.evictions};
    for (const auto& file : FileCache::of_this_user().files()) {
        result.files += 1;
        result.bytes += file.size;
    }
    return result;
}

void KernelCache::clear() { FileCache::of_this_user().clear(); }

}  // namespace gpu
