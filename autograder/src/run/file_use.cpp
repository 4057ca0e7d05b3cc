// SPDX-License-Identifier: MIT
#include "run/file_use.hpp"

#include <string>
#include <system_error>

namespace fs = std::filesystem;

namespace course {

void FileUse::add(const struct stat& info) {
    if (S_ISREG(info.st_mode) && seen_.emplace(info.st_dev, info.st_ino).second)
        bytes_ += static_cast<std::uint64_t>(info.st_blocks) * 512;   // POSIX's unit, whatever the disk's is
}

void FileUse::add_folder(const fs::path& folder) noexcept try {
    std::error_code error;   // what goes meanwhile isn't counted
    for (fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end; entry.increment(error)) {
        struct stat info {};
        if (::lstat(entry->path().c_str(), &info) == 0) add(info);
    }
} catch (...) {
}

void FileUse::add_nameless_files_of(pid_t process) noexcept try {
    std::error_code error;
    for (fs::directory_iterator entry("/proc/" + std::to_string(process) + "/fd", error), end; !error && entry != end;
         entry.increment(error)) {
        struct stat info {};
        if (::stat(entry->path().c_str(), &info) == 0 && info.st_nlink == 0) add(info);
    }
} catch (...) {
}

void FileUse::leave_out(int descriptor) noexcept try {
    struct stat info {};
    if (::fstat(descriptor, &info) == 0) seen_.emplace(info.st_dev, info.st_ino);
} catch (...) {
}

}  // namespace course
