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

#include "support/process.hpp"

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

bool is_root(ProcessRoot root, pid_t process, const ProcessStat& state, pid_t self, pid_t own_session) noexcept {
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
            const ProcessStat state = stat_of(process);
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
        std::string_view text = read_proc_file(thread, "statm", buffer);
        return next_number(text) > 0;
    };
    pid_t found = process;
    if (!has_memory(process))
        for_each_number(ProcPath(process, "task").get(), [&](pid_t thread) {
            if (found == process && has_memory(thread)) found = thread;
        });
    return found;
}

std::uint64_t thread_count(pid_t process) noexcept { return stat_of(process).threads; }

std::uint64_t resident_bytes(pid_t process) noexcept {
    std::array<char, 256> buffer;
    std::string_view text = read_proc_file(living_thread(process), "statm", buffer);
    next_number(text);  // the virtual size
    return static_cast<std::uint64_t>(next_number(text)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t proportional_bytes(pid_t process) noexcept {
    std::array<char, 2048> buffer;
    std::string_view text = read_proc_file(living_thread(process), "smaps_rollup", buffer);
    const std::size_t line = text.find("\nPss:");
    if (line == std::string_view::npos) return resident_bytes(process);  // not ours to read: take the upper bound
    text.remove_prefix(line + 5);
    return static_cast<std::uint64_t>(next_number(text)) * 1024;
}

std::uint64_t page_table_bytes(pid_t process) noexcept {
    std::array<char, 2048> buffer;
    std::string_view text = read_proc_file(living_thread(process), "status", buffer);
    const std::size_t line = text.find("\nVmPTE:");
    if (line == std::string_view::npos) return 0;
    text.remove_prefix(line + 7);
    while (text.starts_with('\t')) text.remove_prefix(1);
    return static_cast<std::uint64_t>(next_number(text)) * 1024;
}

}  // namespace course
