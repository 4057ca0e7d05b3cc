// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <utility>

#include <sys/stat.h>
#include <sys/types.h>

namespace course {

/// What files take of a disk, or of memory where they have no name: each file once, however many names it has.
class FileUse {
public:
    /// The files below a folder; links aren't followed.
    void add_folder(const std::filesystem::path& folder) noexcept;
    /// The files that a process holds open though they have no name any more, or never had one (memfd).
    void add_nameless_files_of(pid_t process) noexcept;
    /// Doesn't count this one.
    void leave_out(int descriptor) noexcept;

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    void add(const struct stat& info);

    std::set<std::pair<dev_t, ino_t>> seen_;
    std::uint64_t bytes_ = 0;
};

}  // namespace course
