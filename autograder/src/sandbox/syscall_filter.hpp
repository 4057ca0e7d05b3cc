// SPDX-License-Identifier: MIT
#pragma once

#include <linux/filter.h>

#include <span>
#include <string_view>
#include <vector>

// Which system calls there are for code that isn't trusted: data alone. SyscallFilter (syscall_filter.hpp) puts it in
// force, and looks at the arguments of some.
namespace course {

/// What runs in a sandbox. Each has the calls of those before it: a runner compiles kernels under its own filter.
enum class CallList {
    compiler,      ///< g++ or clang++, with what they start: the compiler proper, the assembler, the linker
    runner,        ///< an answer on the host backend: libgpu, threads, fibers, check mode, a student's C++
    cuda_runner,   ///< an answer on a GPU: that, and CUDA's driver
};

/// System calls that are allowed for one reason.
struct CallGroup {
    std::string_view kept_for;   ///< why, though no run in the tests has to make them; empty: the tests see each made
    std::string_view names;      ///< as libseccomp spells them, with a space between two
};

/// What this list has beyond the one before it.
std::span<const CallGroup> calls_added_for(CallList list);

/// All that it has, sorted. Some of the names are those of another kernel or processor than this machine's.
std::vector<std::string_view> allowed_calls(CallList list);

/// Those of them that this machine's libseccomp knows by number for its processor, sorted by number.
std::vector<int> allowed_numbers(CallList list);

/// What the filter has to know of the rest of the sandbox.
struct FilterOptions {
    CallList calls = CallList::runner;
    bool forks = false;
    bool signals_scoped = true;   ///< Landlock keeps signals in; else a process may send them to itself alone
};

/// A seccomp filter: the system calls of a list (below), of which some fail with EPERM by their
/// arguments. There are no others: they fail with ENOSYS, known or not, as on a kernel that lacks them.
///
/// No network, no look into other processes, no namespaces, no mounts, no kernel features that have been others' way
/// out; no rights, owners or times of files changed, which Landlock doesn't watch; no memory or queue that outlives the
/// process; no fork, so that only programs that the policy names (and threads) can be started.
class SyscallFilter {
public:
    /// @throws std::runtime_error if the filter can't be made.
    explicit SyscallFilter(FilterOptions options);

    /// Between fork and exec, as the calls are async-signal-safe. no_new_privs must be set. False: errno says why.
    [[nodiscard]] bool install() noexcept;

    [[nodiscard]] const std::vector<sock_filter>& program() const noexcept { return program_; }

private:
    std::vector<sock_filter> program_;
};

/// True if the kernel takes filters.
bool filters_are_supported() noexcept;

}  // namespace course
