// SPDX-License-Identifier: MIT
#include "build/scratch.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <fmt/format.h>

#include "build/compile.hpp"
#include "support/files.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr const char* scratch_prefix = "course-scratch-";

/// Removes this user's scratch folders that nobody holds: their run was killed.
void remove_left_over(const fs::path& parent) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
        if (!entry.path().filename().string().starts_with(scratch_prefix)) continue;
        struct stat info {};
        if (::lstat(entry.path().c_str(), &info) != 0) continue;
        if (!S_ISDIR(info.st_mode) || info.st_uid != ::geteuid()) continue;
        const UniqueFd lock(::open((entry.path() / "lock").c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (lock && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) remove_tree(entry.path());
    }
}

/// False if no program can run from there: a container's tmpfs is mounted noexec by default.
bool runs_programs(const fs::path& folder) {
    struct statvfs info {};
    return ::statvfs(folder.c_str(), &info) != 0 || (info.f_flag & ST_NOEXEC) == 0;
}

/// The new folder; empty with errno set if it fails.
fs::path make_private_folder(const fs::path& parent) {
    std::string name = (parent / (std::string(scratch_prefix) + "XXXXXX")).string();
    return ::mkdtemp(name.data()) ? fs::path(name) : fs::path();
}

}  // namespace

Scratch::Scratch(const fs::path& folder) : folder_(std::make_unique<TemporaryPath>(folder)) {
    const fs::path file = folder / "lock";
    lock_ = UniqueFd(::open(file.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!lock_) throw BuildFault(fmt::format("could not write {}: {}", file.string(), std::strerror(errno)));
    // Another run may have taken the new folder for a left-over one before it was locked.
    if (::flock(lock_.get(), LOCK_EX | LOCK_NB) != 0 || ::access(file.c_str(), F_OK) != 0) lock_ = UniqueFd();
}

Scratch Scratch::make(const fs::path& otherwise) {
    const char* variable = std::getenv("TMPDIR");
    const fs::path first = fs::absolute(variable && *variable ? variable : "/tmp");
    int why = 0;
    for (const fs::path& parent : {first, otherwise}) {
        std::error_code error;
        if (parent == otherwise) fs::create_directories(parent, error);
        if (!runs_programs(parent)) {
            if (parent == first) why = ENOEXEC;
            continue;
        }
        remove_left_over(parent);
        for (int attempt = 0; attempt < 8; ++attempt) {
            const fs::path folder = make_private_folder(parent);
            if (folder.empty()) break;
            if (Scratch scratch(folder); scratch.lock_) return scratch;
        }
        if (parent == first) why = errno;
        // reported, not worked around: the student can do something about it
        if (why == ENOSPC || why == EDQUOT) break;
    }
    if (why == ENOEXEC)
        throw BuildFault(fmt::format("{} is mounted noexec, and answers run there\nMount it with exec (of a container: "
                                     "--tmpfs /tmp:exec), or set TMPDIR to another folder.", first.string()));
    throw BuildFault(fmt::format("could not write {}: {}\nThe kit needs a folder for temporary files: set TMPDIR to "
                                 "one that has room and can be written.", first.string(), std::strerror(why)));
}

}  // namespace course
