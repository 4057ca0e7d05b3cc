// SPDX-License-Identifier: MIT
#include "support/proc_files.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace course {

ProcPath::ProcPath(pid_t process, const char* file) noexcept {
    char* end = std::copy_n("/proc/", 6, text_);
    end = std::to_chars(end, end + 12, process).ptr;
    *end++ = '/';
    std::strncpy(end, file, 20);
}

std::string_view read_proc_file(pid_t process, const char* file, std::span<char> buffer) noexcept {
    const int descriptor = ::open(ProcPath(process, file).get(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {};
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    ::close(descriptor);
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

std::int64_t next_number(std::string_view& text) noexcept {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    std::int64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

// "pid (name, which may hold blanks and brackets) state parent group session ...", proc(5)'s fields 1 to 6.
ProcessStat stat_of(pid_t process) noexcept {
    std::array<char, 512> buffer;
    std::string_view text = read_proc_file(process, "stat", buffer);
    const std::size_t bracket = text.rfind(')');
    if (bracket == std::string_view::npos || text.size() < bracket + 4) return {};
    text.remove_prefix(bracket + 4);
    ProcessStat stat;
    for (int field = 4; field <= 22; ++field) {
        const std::int64_t value = next_number(text);
        if (field == 4) stat.parent = static_cast<pid_t>(value);
        if (field == 6) stat.session = static_cast<pid_t>(value);
        if (field == 20) stat.threads = static_cast<std::uint64_t>(value);
        if (field == 22) stat.begin = static_cast<std::uint64_t>(value);
    }
    return stat;
}

}  // namespace course
