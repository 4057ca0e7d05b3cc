// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backend/backend.hpp"

namespace gpu::detail {

/// Identifies a compiled kernel by everything that affects the result, and nothing else.
struct CacheKey {
    std::string name;    ///< readable, for the file's name
    std::string digest;  ///< 32 hexadecimal digits over all the parts
};

/// Hashes each part with its length, so that different lists of parts never look alike.
CacheKey make_cache_key(const std::string& name, const std::vector<std::string>& parts);

/// A compiled kernel on disk.
struct CachedFile {
    std::filesystem::path path;
    std::uint64_t size = 0;
    std::filesystem::file_time_type used;  ///< when it was stored or last found
};

/// Compiled kernels on disk, one checksummed file each. Every failure is silent: the kernel is compiled again.
///
/// Other processes may use the same folder at any moment. Files that aren't named like a kernel's are never touched.
class FileCache {
public:
    /// An empty folder name disables the cache; a limit of 0 bytes means none.
    explicit FileCache(std::filesystem::path folder, std::uint64_t limit = 0)
        : folder_(std::move(folder)), limit_(limit) {}
    /// The cache that the environment asks for.
    [[nodiscard]] static FileCache of_this_user();

    /// Finding a kernel marks it as used now.
    [[nodiscard]] std::optional<Image> find(const CacheKey& key) const;
    /// Writes a temporary file and renames it, so that readers in other processes see all of it or nothing. From time
    /// to time, scans all files and removes the least recently used until nine tenths of the limit remain.
    void store(const CacheKey& key, const Image& image) const noexcept;

    [[nodiscard]] std::filesystem::path file_of(const CacheKey& key) const;
    [[nodiscard]] std::vector<CachedFile> files() const noexcept;
    /// Removes all kernels.
    void clear() const noexcept;

private:
    void keep_within_limit(std::uint64_t stored) const;

    std::filesystem::path folder_;
    std::uint64_t limit_;
};

/// How often this process hit, missed and evicted.
struct CacheCounters {
    std::atomic<std::uint64_t> hits{0}, misses{0}, evictions{0};
};
CacheCounters& cache_counters() noexcept;

/// LIBGPU_CACHE_DIR (empty: off), else XDG_CACHE_HOME/libgpu, else HOME/.cache/libgpu, else off.
std::filesystem::path cache_folder();

/// LIBGPU_CACHE_LIMIT: "1000000", "512M", "2G"; 0: no limit. Otherwise 256 MiB, and stderr says so once of a text that
/// is no such number.
std::uint64_t cache_limit();

/// The contents of a cache's folder: compiled kernels, and temporary files of writers that were killed.
struct CacheFolder {
    std::vector<CachedFile> kernels, leftovers;
};

/// Finds files that are named like a kernel's, ab/NAME-(32 hexadecimal digits).kernel, and temporary files of such
/// names; ignores everything else.
[[nodiscard]] CacheFolder look_into(const std::filesystem::path& folder);

}  // namespace gpu::detail
