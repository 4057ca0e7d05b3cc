// SPDX-License-Identifier: MIT
#include "run/file_use.hpp"

#include <fcntl.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <vector>

#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

/// A folder on the path, and its subfolders that haven't been visited yet.
struct Level {
    struct stat info {};
    std::vector<std::string> folders;
};

bool is_same(const struct stat& a, const struct stat& b) noexcept {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

}  // namespace

void FileUse::add(const struct stat& info) {
    constexpr std::uint64_t min_bytes = 4096;
    const bool counts = S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
    if (counts && seen_.emplace(info.st_dev, info.st_ino).second)
        bytes_ += std::max(static_cast<std::uint64_t>(info.st_blocks) * 512, min_bytes);   // POSIX's unit
}

// Keeps only two folders open at a time, since a path has at most 4096 characters.
void FileUse::add_folder(const fs::path& folder, std::uint64_t max_bytes) noexcept try {
    std::vector<Level> way;
    UniqueFd here = open_own_folder(AT_FDCWD, folder.c_str());
    const auto look_around = [&] {
        Level& level = way.emplace_back();
        if (::fstat(here.get(), &level.info) != 0) return;
        for (std::string& name : names_in(here.get())) {
            struct stat info {};
            if (bytes_ > max_bytes || ::fstatat(here.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
            add(info);
            if (S_ISDIR(info.st_mode)) level.folders.push_back(std::move(name));
        }
    };
    if (here) look_around();
    while (!way.empty() && bytes_ <= max_bytes) {
        std::vector<std::string>& left = way.back().folders;
        if (!left.empty()) {
            UniqueFd inner = open_own_folder(here.get(), left.back().c_str());
            left.pop_back();
            if (!inner) continue;   // it has disappeared
            here = std::move(inner);
            look_around();
            continue;
        }
        way.pop_back();
        if (way.empty()) return;
        here = UniqueFd(::openat(here.get(), "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        struct stat info {};
        if (!here || ::fstat(here.get(), &info) != 0 || !is_same(info, way.back().info)) bytes_ = max_bytes + 1;
    }
} catch (...) {}

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

namespace fs = std::filesystem;

namespace course {

void for_each_kernel(const fs::path& from, const fs::path& to, const KernelUse& use) {
    std::error_code error;
    for (auto entry = fs::recursive_directory_iterator(from, error); entry != fs::recursive_directory_iterator();
         entry.increment(error)) {
        if (error) return;
        std::error_code ignored;
        const bool is_file = fs::is_regular_file(entry->symlink_status(ignored));
        if (!is_file || entry->path().extension() != ".kernel") continue;
        const fs::path there = to / entry->path().lexically_relative(from);
        fs::create_directories(there.parent_path(), ignored);
        use(entry->path(), there);
    }
}

void copy_kernels(const fs::path& from, const fs::path& to) {
    for_each_kernel(from, to, [](const fs::path& here, const fs::path& there) {
        std::error_code ignored;
        fs::copy_file(here, there, ignored);
    });
}

}  // namespace course
