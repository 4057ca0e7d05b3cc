// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "backend.hpp"

namespace gpu::detail {

/// What identifies a compiled kernel: everything that changes the result, and nothing else.
struct CacheKey {
    std::string name;    ///< readable, for the file's name
    std::string digest;  ///< 32 hexadecimal digits over all the parts
};

/// Parts are hashed with their lengths, so that no two lists of parts look alike.
CacheKey make_cache_key(const std::string& name, const std::vector<std::string>& parts);

/// Compiled kernels on disk, one file each, checksummed. Every failure is silent: a kernel is then compiled again.
class FileCache {
public:
    /// An empty folder name switches the cache off.
    explicit FileCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

    [[nodiscard]] std::optional<Image> find(const CacheKey& key) const;
    /// Writes a temporary file and renames it, so that readers in other processes see all of it or nothing.
    void store(const CacheKey& key, const Image& image) const noexcept;

    [[nodiscard]] std::filesystem::path file_of(const CacheKey& key) const;

private:
    std::filesystem::path folder_;
};

/// LIBGPU_CACHE_DIR (empty: off), else XDG_CACHE_HOME/libgpu, else HOME/.cache/libgpu, else off.
std::filesystem::path cache_folder();

}  // namespace gpu::detail
