// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <thread>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/cgroup.hpp"
#include "support/files.hpp"

using namespace course;
namespace fs = std::filesystem;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

bool has_cgroups() {
    if (usable_cgroups().version > 0) return true;
    MESSAGE("SKIP: no cgroup can be made here");
    return false;
}

/// The status of a child that does this in the group.
int in_group(const Cgroup& group, const std::function<int()>& work) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(group.enter() ? work() : 100);
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
}

bool is_killed(int status) { return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL; }

int fill(const char* where, std::size_t bytes) {   // a file without a name, or pages
    if (std::string(where) == "pages") {
        void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        std::fill_n(static_cast<char*>(pages), bytes, 'x');
        return 0;
    }
    const int file = ::memfd_create("hidden", 0);
    static const char much[1 << 16] = {1};
    for (std::size_t k = 0; k < bytes / sizeof much; ++k)
        if (::write(file, much, sizeof much) != static_cast<ssize_t>(sizeof much)) return 1;
    return 0;
}

bool are_gone(const std::vector<fs::path>& folders) {
    return std::none_of(folders.begin(), folders.end(), [](const fs::path& one) { return fs::exists(one); });
}

}  // namespace

TEST_CASE("where this process's cgroups lie, by /proc's two files") {
    const std::string both = "8:pids:/\n4:memory:/api/b00c\n1:cpu,cpuacct:/x\n0::/\n";
    const std::string first =
        "30 25 0:26 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu\n"
        "31 25 0:27 / /sys/fs/cgroup/memory rw,relatime shared:7 - cgroup cgroup rw,memory\n"
        "32 25 0:28 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n";
    const std::string second = "40 25 0:40 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";
    const CgroupPlaces old{1, "/sys/fs/cgroup/memory/api/b00c", "/sys/fs/cgroup/pids"};
    CHECK(own_cgroups(both, first) == old);
    CHECK(own_cgroups(both, first + second) == old);   // memory belongs to the first version
    fs::path top;
    CHECK(own_cgroups("0::/user.slice/a.scope\n", second, &top) ==
          CgroupPlaces{2, "/sys/fs/cgroup/unified/user.slice/a.scope", ""});
    CHECK(top == "/sys/fs/cgroup/unified");
    // In a container a part of the hierarchy is mounted, or the namespace begins at it.
    const std::string inside = "31 25 0:27 /docker/1f /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory\n";
    CHECK(own_cgroups("4:memory:/docker/1f\n", inside) == CgroupPlaces{1, "/sys/fs/cgroup/memory", ""});
    CHECK(own_cgroups("4:memory:/docker/1f/below\n", inside) == CgroupPlaces{1, "/sys/fs/cgroup/memory/below", ""});
    CHECK(own_cgroups("4:memory:/docker/1f2\n", inside) == CgroupPlaces{});
    CHECK(own_cgroups("0::/\n", second) == CgroupPlaces{2, "/sys/fs/cgroup/unified", ""});
    CHECK(own_cgroups("0::/../elsewhere\n", second) == CgroupPlaces{});
    for (const char* const text : {"", "\n", "4:memory", "0::", "4:memory:\n:::", "a - b\n", " - "}) {
        CHECK(own_cgroups(text, first + second).version * own_cgroups(both, text).version == 0);
        CHECK(own_cgroups(both, text) == CgroupPlaces{});
    }
}

TEST_CASE("over the limit the kernel kills, wherever the memory is, and says so") {
    if (!has_cgroups()) return;
    for (const char* const where : {"pages", "a file without a name"}) {
        CAPTURE(where);
        std::vector<fs::path> folders;
        {
            const Cgroup group(usable_cgroups(), {.memory_bytes = 64 * mib, .processes = 64});
            folders = group.folders();
            CHECK_FALSE(are_gone(folders));
            CHECK(in_group(group, [&] { return fill(where, 32 * mib); }) == 0);
            CHECK_FALSE(group.ran_out_of_memory());
            CHECK(is_killed(in_group(group, [&] { return fill(where, 128 * mib); })));
            CHECK(group.ran_out_of_memory());
        }
        CHECK(are_gone(folders));
    }
}

TEST_CASE("processes of a group are limited, and end with it") {
    if (!has_cgroups()) return;
    if (usable_cgroups().version == 1 && usable_cgroups().pids.empty()) {
        MESSAGE("SKIP: this machine doesn't count processes");
        return;
    }
    pid_t sleeper = 0;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    {
        const Cgroup group(usable_cgroups(), {.memory_bytes = 64 * mib, .processes = 4});
        const int status = in_group(group, [] {
            int started = 0;
            for (; started < 10; ++started) {
                const pid_t one = ::fork();
                if (one == 0) ::_exit((::pause(), 0));
                if (one < 0) break;
            }
            return started;
        });
        CHECK(WEXITSTATUS(status) == 3);
        sleeper = ::fork();
        if (sleeper == 0) {
            const char is_inside = group.enter() ? 'y' : 'n';
            if (::write(ends[1], &is_inside, 1) == 1) ::pause();
            ::_exit(0);
        }
        char answer = 0;  // the group may not go before
        CHECK(::read(ends[0], &answer, 1) == 1);
        CHECK(answer == 'y');
    }
    for (const int end : ends) ::close(end);
    int status = 0;
    CHECK(::waitpid(sleeper, &status, 0) == sleeper);
    CHECK(is_killed(status));
}

TEST_CASE("what a killed grader has left goes at the next start, with all that still runs in it") {
    if (!has_cgroups()) return;
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    const pid_t grader = ::fork();
    if (grader == 0) {
        const Cgroup group(usable_cgroups(), {.memory_bytes = 64 * mib, .processes = 4});
        const std::string folder = group.folders().front();
        if (::fork() == 0) {
            if (!group.enter()) ::_exit(1);
            ::close(ends[0]);
            [[maybe_unused]] const ssize_t written = ::write(ends[1], folder.data(), folder.size());
            for (;;) ::pause();   // with the pipe's end open
        }
        for (;;) ::pause();
    }
    ::close(ends[1]);
    char folder[4096] = {};
    REQUIRE(::read(ends[0], folder, sizeof folder - 1) > 0);
    const Cgroup own(usable_cgroups(), {.memory_bytes = 64 * mib, .processes = 4});
    remove_left_over_cgroups(usable_cgroups());
    CHECK(fs::exists(folder));   // its maker lives
    ::kill(grader, SIGKILL);
    ::waitpid(grader, nullptr, 0);
    remove_left_over_cgroups(usable_cgroups());
    CHECK_FALSE(fs::exists(folder));
    CHECK_FALSE(are_gone(own.folders()));
    CHECK(::read(ends[0], folder, sizeof folder) == 0);   // the one that ran in it has ended
    ::close(ends[0]);
}
