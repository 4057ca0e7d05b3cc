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

/// The space that files take on a disk or, without a name, in memory: each file once, however many names it has. An
/// empty file or a folder counts as 4 KiB.
class FileUse {
public:
    /// Everything below a folder, at any depth and with any rights; links aren't followed. Stops counting beyond `most`
    /// bytes. Folders moved during the count count as more than `most`.
    void add_folder(const std::filesystem::path& folder, std::uint64_t max_bytes) noexcept;
    /// The files that a process or thread holds open and that have no name any more, or never had one (memfd).
    void add_nameless_files_of(pid_t process) noexcept;
    /// Excludes this one.
    void leave_out(int descriptor) noexcept;

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

private:
    void add(const struct stat& info);

    std::set<std::pair<dev_t, ino_t>> seen_;
    std::uint64_t bytes_ = 0;
};

/// A callback with a compiled kernel's path, and its path below another folder: 1f/add-1f20....kernel.
using KernelUse = std::function<void(const std::filesystem::path& here, const std::filesystem::path& there)>;

/// Calls it for each regular file, and creates the folder of the other path.
void for_each_kernel(const std::filesystem::path& from, const std::filesystem::path& to, const KernelUse& use);

/// Copies them. A failure only costs a compile. No student's code that can write to `to` may be running.
void copy_kernels(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace course
