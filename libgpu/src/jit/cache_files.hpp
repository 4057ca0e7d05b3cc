// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "jit/file_cache.hpp"

namespace gpu::detail {

/// What a cache's folder holds: compiled kernels, and what writers that were killed have left behind.
struct CacheFolder {
    std::vector<CachedFile> kernels, leftovers;
};

/// Looks for files that are named like a kernel's, ab/NAME-(32 hexadecimal digits).kernel, and for temporary ones of
/// the same names; nothing else counts.
[[nodiscard]] CacheFolder look_into(const std::filesystem::path& folder);

}  // namespace gpu::detail
