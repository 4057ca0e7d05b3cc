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

/// What identifies a compiled kernel: everything that changes the result, and nothing else.
struct CacheKey {
    std::string name;    ///< readable, for the file's name
    std::string digest;  ///< 32 hexadecimal digits over all the parts
};

/// Parts are hashed with their lengths, so that no two lists of parts look alike.
CacheKey make_cache_key(const std::string& name, const std::vector<std::string>& parts);

/// A compiled kernel on disk.
struct CachedFile {
    std::filesystem::path path;
    std::uint64_t size = 0;
    std::filesystem::file_time_type used;  ///< when it was stored or last found
};

/// Compiled kernels on disk, one file each, checksummed. Every failure is silent: a kernel is then compiled again.
///
/// Other processes may do the same in the same folder at any moment. Files that aren't named like a kernel's are never
/// touched.
class FileCache {
public:
    /// An empty folder name switches the cache off; a limit of 0 bytes is none.
    explicit FileCache(std::filesystem::path folder, std::uint64_t limit = 0)
        : folder_(std::move(folder)), limit_(limit) {}
    /// As the environment says it.
    [[nodiscard]] static FileCache of_this_user();

    /// What is found counts as used now.
    [[nodiscard]] std::optional<Image> find(const CacheKey& key) const;
    /// Writes a temporary file and renames it, so that readers in other processes see all of it or nothing. At times it
    /// looks at all files and removes those that were used least recently, until nine tenths of the limit are kept.
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

/// What this process has done with the cache.
struct CacheCounters {
    std::atomic<std::uint64_t> hits{0}, misses{0}, evictions{0};
};
CacheCounters& cache_counters() noexcept;

/// LIBGPU_CACHE_DIR (empty: off), else XDG_CACHE_HOME/libgpu, else HOME/.cache/libgpu, else off.
std::filesystem::path cache_folder();

/// LIBGPU_CACHE_LIMIT: "1000000", "512M", "2G"; anything else is 256 MiB. 0: no limit.
std::uint64_t cache_limit();

/// What a cache's folder holds: compiled kernels, and what writers that were killed have left behind.
struct CacheFolder {
    std::vector<CachedFile> kernels, leftovers;
};

/// Looks for files that are named like a kernel's, ab/NAME-(32 hexadecimal digits).kernel, and for temporary ones of
/// the same names; nothing else counts.
[[nodiscard]] CacheFolder look_into(const std::filesystem::path& folder);

}  // namespace gpu::detail
