// SPDX-License-Identifier: MIT
#include "jit/cache_files.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <system_error>

namespace gpu::detail {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view hexadecimal = "0123456789abcdef", ending = ".kernel";

bool all_of(std::string_view text, std::string_view letters) {
    return !text.empty() && text.find_first_not_of(letters) == std::string_view::npos;
}

// "add-0123...ef.kernel" in the folder of the digest's first two letters.
bool is_kernel(std::string_view name, std::string_view folder) {
    constexpr std::size_t digits = 32;
    if (name.size() <= digits + ending.size() || name.substr(name.size() - ending.size()) != ending) return false;
    const std::string_view digest = name.substr(name.size() - ending.size() - digits, digits);
    return name[name.size() - ending.size() - digits - 1] == '-' && all_of(digest, hexadecimal) &&
           digest.substr(0, 2) == folder;
}

// The same with ".4711.0" behind it: a process and its count.
bool is_leftover(std::string_view name, std::string_view folder) {
    const auto end = name.rfind(ending);
    return end != std::string_view::npos && is_kernel(name.substr(0, end + ending.size()), folder) &&
           all_of(name.substr(end + ending.size()), ".0123456789");
}

}  // namespace

CacheFolder look_into(const fs::path& folder) {
    CacheFolder found;
    std::error_code error;
    if (folder.empty()) return found;
    for (fs::directory_iterator room(folder, error), end; !error && room != end; room.increment(error)) {
        const std::string two = room->path().filename().string();
        if (two.size() != 2 || !all_of(two, hexadecimal)) continue;
        std::error_code inner;  // a folder that can't be read, or has just gone
        for (fs::directory_iterator item(room->path(), inner); !inner && item != end; item.increment(inner)) {
            const std::string name = item->path().filename().string();
            const bool kernel = is_kernel(name, two);
            if (!kernel && !is_leftover(name, two)) continue;
            std::error_code gone;
            if (!item->is_regular_file(gone) || gone) continue;
            CachedFile file{item->path(), item->file_size(gone), {}};
            if (!gone) file.used = item->last_write_time(gone);
            if (!gone) (kernel ? found.kernels : found.leftovers).push_back(std::move(file));
        }
    }
    return found;
}

}  // namespace gpu::detail
