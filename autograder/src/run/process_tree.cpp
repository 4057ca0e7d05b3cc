// SPDX-License-Identifier: MIT
#include "run/process_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include <csignal>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/cleanup.hpp"

namespace course {
namespace {

// What getdents64 fills in; glibc names it only in its own sources.
struct DirectoryEntry {
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
};

struct ProcessState {
    pid_t parent = 0, session = 0;
};

// "/proc/<pid>/<file>" without the heap.
class ProcPath {
public:
    ProcPath(pid_t process, const char* file) noexcept {
        char* end = std::copy_n("/proc/", 6, text_);
        end = std::to_chars(end, end + 12, process).ptr;
        *end++ = '/';
        std::strncpy(end, file, 20);
    }
    [[nodiscard]] const char* get() const noexcept { return text_; }

private:
    char text_[48] = {};
};

std::string_view read_text(pid_t process, const char* file, std::span<char> buffer) noexcept {
    const int descriptor = ::open(ProcPath(process, file).get(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return {};
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    ::close(descriptor);
    return {buffer.data(), size > 0 ? static_cast<std::size_t>(size) : 0};
}

// The next blank-separated field as a number; moves `text` behind it.
std::int64_t next_number(std::string_view& text) noexcept {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    std::int64_t value = 0;
    const auto end = std::from_chars(text.data(), text.data() + text.size(), value).ptr;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return value;
}

// /proc/<pid>/stat: "pid (name, which may hold blanks and brackets) state parent group session ..."
ProcessState state_of(pid_t process) noexcept {
    std::array<char, 512> buffer;
    std::string_view text = read_text(process, "stat", buffer);
    const std::size_t bracket = text.rfind(')');
    if (bracket == std::string_view::npos || text.size() < bracket + 4) return {};
    text.remove_prefix(bracket + 4);
    ProcessState state;
    state.parent = static_cast<pid_t>(next_number(text));
    next_number(text);  // the process group
    state.session = static_cast<pid_t>(next_number(text));
    return state;
}

// Every entry of the folder that is a number: a process of /proc, a thread of /proc/<pid>/task.
template <class Function>
void for_each_number(const char* path, Function visit) noexcept {
    const int folder = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    alignas(DirectoryEntry) std::array<char, 4096> buffer;
    for (long size = 0; (size = ::syscall(SYS_getdents64, folder, buffer.data(), buffer.size())) > 0;) {
        for (long at = 0; at < size;) {
            const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer.data() + at);
            at += entry->length;
            const char* name = entry->name;
            pid_t process = 0;
            std::from_chars(name, name + std::strlen(name), process);
            if (process > 0) visit(process);
        }
    }
    ::close(folder);
}

bool is_root(ProcessRoot root, pid_t process, const ProcessState& state, pid_t self, pid_t own_session) noexcept {
    if (process == root.process) return true;
    if (state.parent != self) return false;
    return root.children || (root.adopted && state.session != own_session && !is_noted_process(process));
}

}  // namespace

std::size_t find_processes(ProcessRoot root, std::span<pid_t> found) noexcept {
    const pid_t self = ::getpid(), own_session = ::getsid(0);
    std::size_t count = 0;
    // A child's number is mostly above its parent's, so the first pass finds nearly all; repeat until it found nothing.
    for (bool grew = true; grew;) {
        grew = false;
        for_each_number("/proc", [&](pid_t process) {
            const auto end = found.begin() + static_cast<std::ptrdiff_t>(count);
            if (process == self || count == found.size() || std::find(found.begin(), end, process) != end) return;
            const ProcessState state = state_of(process);
            const bool below = state.parent > 0 && std::find(found.begin(), end, state.parent) != end;
            if (!below && !is_root(root, process, state, self, own_session)) return;
            found[count++] = process;
            grew = true;
        });
    }
    return count;
}

bool kill_processes(ProcessRoot root, double seconds) noexcept {
    std::array<pid_t, 512> found;
    timespec now{}, end{};
    ::clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += static_cast<time_t>(seconds);
    for (;;) {
        const std::size_t count = find_processes(root, found);
        if (count == 0) return true;
        for (std::size_t k = 0; k < count; ++k) ::kill(found[k], SIGKILL);
        // Those that aren't our children (yet) are left: they become ours when their parents are gone.
        for (std::size_t k = 0; k < count; ++k) ::waitpid(found[k], nullptr, WNOHANG);
        ::clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec > end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec >= end.tv_nsec)) return false;
        const timespec pause{0, 1'000'000};
        ::nanosleep(&pause, nullptr);
    }
}

pid_t living_thread(pid_t process) noexcept {
    const auto has_memory = [](pid_t thread) noexcept {
        std::array<char, 256> buffer;
        std::string_view text = read_text(thread, "statm", buffer);
        return next_number(text) > 0;
    };
    pid_t found = process;
    if (!has_memory(process))
        for_each_number(ProcPath(process, "task").get(), [&](pid_t thread) {
            if (found == process && has_memory(thread)) found = thread;
        });
    return found;
}

std::uint64_t thread_count(pid_t process) noexcept {
    std::array<char, 512> buffer;
    std::string_view text = read_text(process, "stat", buffer);
    const std::size_t bracket = text.rfind(')');
    if (bracket == std::string_view::npos || text.size() < bracket + 4) return 0;
    text.remove_prefix(bracket + 4);
    for (int field = 4; field < 20; ++field) next_number(text);
    return static_cast<std::uint64_t>(next_number(text));
}

std::uint64_t resident_bytes(pid_t process) noexcept {
    std::array<char, 256> buffer;
    std::string_view text = read_text(living_thread(process), "statm", buffer);
    next_number(text);  // the virtual size
    return static_cast<std::uint64_t>(next_number(text)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t proportional_bytes(pid_t process) noexcept {
    std::array<char, 2048> buffer;
    std::string_view text = read_text(living_thread(process), "smaps_rollup", buffer);
    const std::size_t line = text.find("\nPss:");
    if (line == std::string_view::npos) return resident_bytes(process);  // not ours to read: take the upper bound
    text.remove_prefix(line + 5);
    return static_cast<std::uint64_t>(next_number(text)) * 1024;
}

std::uint64_t page_table_bytes(pid_t process) noexcept {
    std::array<char, 2048> buffer;
    std::string_view text = read_text(living_thread(process), "status", buffer);
    const std::size_t line = text.find("\nVmPTE:");
    if (line == std::string_view::npos) return 0;
    text.remove_prefix(line + 7);
    while (text.starts_with('\t')) text.remove_prefix(1);
    return static_cast<std::uint64_t>(next_number(text)) * 1024;
}

}  // namespace course
