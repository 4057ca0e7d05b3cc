// SPDX-License-Identifier: MIT
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <set>
#include <utility>

namespace course {

/// What files take of a disk, or of memory where they have no name: each file once, however many names it has. An empty
/// file or a folder takes 4 KiB.
class FileUse {
public:
    /// What lies below a folder, however deep and whatever its rights; links aren't followed. Beyond `most` bytes
    /// nothing more is counted. Folders that are moved while they are looked at count as more than `most`.
    void add_folder(const std::filesystem::path& folder, std::uint64_t most) noexcept;
    /// The files that a process or thread holds open though they have no name any more, or never had one (memfd).
    void add_nameless_files_of(pid_t process) noexcept;
    /// Doesn't count this one.
    void leave_out(int descriptor) noexcept;

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    void add(const struct stat& info);

    std::set<std::pair<dev_t, ino_t>> seen_;
    std::uint64_t bytes_ = 0;
};

/// What is done with a compiled kernel's path, and its path below another folder: 1f/add-1f20....kernel.
using KernelUse = std::function<void(const std::filesystem::path& here, const std::filesystem::path& there)>;

/// Does it with each regular file, and makes the folder that the other path is in.
void for_each_kernel(const std::filesystem::path& from, const std::filesystem::path& to, const KernelUse& use);

/// Copies them. What fails costs a compile, and nothing else. No student's code may run that can write to `to`.
void copy_kernels(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace course
