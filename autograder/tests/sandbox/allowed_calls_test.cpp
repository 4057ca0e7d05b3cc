// SPDX-License-Identifier: MIT
// The lists of system calls against what compilers and answers ask for on this machine.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <seccomp.h>

#include "build/compile.hpp"
#include "sandbox/call_recorder.hpp"
#include "sandbox/syscall_filter.hpp"
#include "support/folder.hpp"

using namespace course;
using test::Folder;
namespace fs = std::filesystem;

namespace {

constexpr CallList all_lists[] = {CallList::compiler, CallList::runner, CallList::cuda_runner};

/// What programs ask for in vain, and go on without.
const std::set<std::string> refused_on_purpose = {
    "chmod", "fchmod", "fchmodat", "fchmodat2",   // a linker makes its result executable; the runner loads it as it is
    "utimensat",                                  // libgpu's cache notes when a kernel was used
    "clone3",                                     // its flags are out of a filter's sight; the C library takes clone
};

std::vector<std::string> names_in(std::string_view names) {
    std::istringstream words{std::string(names)};
    return {std::istream_iterator<std::string>(words), {}};
}

bool is_known_here(const std::string& name) { return ::seccomp_syscall_resolve_name(name.c_str()) >= 0; }

/// The programs of a run: which compiler, which exercise of which course.
struct Run {
    std::string compiler;
    fs::path root, answer;
    int exercise;
};

/// The toy course by each compiler that is here, and of the course itself, where its solutions are, the exercise that
/// asks most: transfers.
std::vector<Run> all_runs(const Folder& scratch) {
    std::vector<Run> runs;
    const fs::path kit = COURSE_SOURCE_DIR, toy = scratch / "course";
    fs::copy(kit / "autograder/tests/toy", toy, fs::copy_options::recursive);
    Toolchain chain = Toolchain::configured();
    const std::string configured = chain.compiler;
    std::set<fs::path> tried;
    for (const std::string& compiler : {configured, std::string("g++"), std::string("clang++")}) {
        chain.compiler = compiler;
        std::error_code error;
        if (const fs::path real = fs::canonical(chain.compiler_path(), error); error || !tried.insert(real).second)
            continue;
        for (const int exercise : {1, 2})
            runs.push_back({compiler, toy, toy / "solutions" / (exercise == 1 ? "01-twice" : "02-shift"), exercise});
    }
    if (const fs::path transfers = kit / "solutions/03-transfers"; fs::exists(transfers))
        runs.push_back({configured, kit, transfers, 3});
    return runs;
}

std::vector<std::string> environment_of(const Run& run, const Folder& scratch) {
    const char* path = std::getenv("PATH");
    std::vector<std::string> environment = {
        fmt::format("PATH={}", path != nullptr ? path : "/usr/bin:/bin"), "TMPDIR=" + scratch.path().string(),
        "HOME=" + scratch.path().string(),  "LIBGPU_DEVICE=host", "COURSE_CXX=" + run.compiler,
        "LIBGPU_HOST_CXX=" + run.compiler,  "ASAN_OPTIONS=detect_leaks=0"};
    return environment;
}

}  // namespace

TEST_CASE("no call stands twice in the lists, and none of those that have been a way out stands there") {
    std::set<std::string_view> seen;
    for (const std::string_view name : allowed_calls(CallList::cuda_runner)) {
        CAPTURE(name);
        CHECK(seen.insert(name).second);
    }
    for (const char* name :
         {"add_key", "bpf", "chmod", "chown", "chroot", "clone3", "connect", "delete_module", "fchmod", "fchmodat",
          "fchmodat2", "fchown", "fchownat", "file_setattr", "finit_module", "fremovexattr", "fsetxattr", "fsopen",
          "init_module", "inotify_init1", "io_uring_setup", "kcmp", "kexec_load", "keyctl", "lsetxattr", "memfd_secret",
          "mknod", "mknodat", "mount", "move_mount", "name_to_handle_at", "open_by_handle_at", "open_tree",
          "open_tree_attr", "perf_event_open", "pidfd_getfd", "pidfd_send_signal", "pivot_root", "process_madvise",
          "process_vm_readv", "process_vm_writev", "ptrace", "reboot", "removexattr", "removexattrat",
          "rt_sigqueueinfo", "seccomp", "setns", "setuid", "setxattr", "setxattrat", "shmget", "symlink", "symlinkat",
          "tkill", "umount2", "unshare", "userfaultfd", "utimensat", "vmsplice"}) {
        CAPTURE(name);
        CHECK(seen.count(name) == 0);
    }
    for (const CallList list : all_lists) {
        const std::vector<int> numbers = allowed_numbers(list);
        MESSAGE(fmt::format("{} of {} calls are known here", numbers.size(), allowed_calls(list).size()));
        CHECK(std::adjacent_find(numbers.begin(), numbers.end(), std::greater_equal<>()) == numbers.end());
    }
}

TEST_CASE("a compiler and a runner ask for what their lists hold, which is no more but for stated reasons") {
    const Folder scratch;
    std::map<CallList, std::set<std::string>> made;
    for (const Run& run : all_runs(scratch)) {
        INFO(run.compiler, " ", run.answer.string());
        const auto recorded = test::record_calls({COURSE_PROGRAM, "--root", run.root, "run",
                                                  std::to_string(run.exercise), "--from", run.answer, "--json"},
                                                 environment_of(run, scratch));
        if (!recorded) {
            MESSAGE("SKIP: processes can't be watched here");
            return;
        }
        CHECK(recorded->status == 0);
        for (const auto& [list, calls] : recorded->of) made[list].insert(calls.begin(), calls.end());
    }
    REQUIRE(made[CallList::compiler].size() >= 20);
    REQUIRE(made[CallList::runner].size() >= 20);
    for (const CallList list : {CallList::compiler, CallList::runner}) {
        CAPTURE(static_cast<int>(list));
        const std::vector<std::string_view> allowed = allowed_calls(list);
        std::vector<std::string> missing, idle;
        for (const std::string& name : made[list])
            if (!std::binary_search(allowed.begin(), allowed.end(), name) && refused_on_purpose.count(name) == 0)
                missing.push_back(name);
        for (const CallGroup& group : calls_added_for(list))
            if (group.kept_for.empty())
                for (const std::string& name : names_in(group.names))
                    if (is_known_here(name) && made[list].count(name) == 0) idle.push_back(name);
        CHECK(fmt::format("{}", fmt::join(missing, " ")) == "");
        CHECK(fmt::format("{}", fmt::join(idle, " ")) == "");
    }
    // Each that is kept for something that no run does has its reason beside it, in allowed_calls.cpp.
    for (const CallGroup& group : calls_added_for(CallList::cuda_runner)) CHECK_FALSE(group.kept_for.empty());
}
