// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <sys/types.h>

// What the kernel says of processes below /proc. Nothing here asks for memory, so that signal handlers may use it, too.
namespace course {

/// "/proc/<pid>/<file>".
class ProcPath {
public:
    ProcPath(pid_t process, const char* file) noexcept;
    [[nodiscard]] const char* get() const noexcept { return text_; }

private:
    char text_[48] = {};
};

/// As much of such a file as the buffer holds; empty if the process is gone.
[[nodiscard]] std::string_view read_proc_file(pid_t process, const char* file, std::span<char> buffer) noexcept;

/// The next blank-separated field as a number; moves `text` behind it.
std::int64_t next_number(std::string_view& text) noexcept;

/// Of /proc/<pid>/stat; zeros if the process is gone.
struct ProcessStat {
    pid_t parent = 0, session = 0;
    std::uint64_t threads = 0;
    std::uint64_t begin = 0;  ///< in ticks since the machine's own
};
[[nodiscard]] ProcessStat stat_of(pid_t process) noexcept;

}  // namespace course
