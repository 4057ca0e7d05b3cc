// SPDX-License-Identifier: MIT
#pragma once

#include <linux/filter.h>

#include <span>
#include <string_view>
#include <vector>

// The system calls of untrusted code: data only. SyscallFilter (below) enforces them and checks the arguments of some.
namespace course {

/// The programs in a sandbox. Each list contains the one before it: a runner compiles kernels under its own filter.
enum class CallList {
    compiler,      ///< g++ or clang++, and what they start: the compiler proper, the assembler, the linker
    runner,        ///< an answer on the host backend: libgpu, threads, fibers, check mode, a student's C++
    cuda_runner,   ///< an answer on a GPU: that, and CUDA's driver
};

/// System calls that are allowed for one reason.
struct CallGroup {
    std::string_view kept_for;   ///< why, if no run in the tests has to make them; empty: the tests make each
    std::string_view names;      ///< in libseccomp's spelling, separated by spaces
};

/// The calls that this list adds to the one before it.
std::span<const CallGroup> calls_added_for(CallList list);

/// All calls of the list, sorted. Some names belong to other kernels or processors.
std::vector<std::string_view> allowed_calls(CallList list);

/// The numbers of those that this machine's libseccomp knows for its processor, sorted.
std::vector<int> allowed_numbers(CallList list);

/// What the filter must know about the rest of the sandbox.
struct FilterOptions {
    CallList calls = CallList::runner;
    bool forks = false;
    bool signals_scoped = true;   ///< Landlock confines signals; otherwise a process may only signal itself
};

/// A seccomp filter: allows the system calls of a list (see above), some of which fail with EPERM for certain
/// arguments. All others, known or not, fail with ENOSYS, as on a kernel that lacks them.
///
/// No network, no access to other processes, no namespaces, no mounts, no kernel features that have been used to
/// escape; no changes to rights, owners or times of files, which Landlock doesn't control; no memory or queue that
/// outlives the process; no fork, so that only programs that the policy names (and threads) can be started.
class SyscallFilter {
public:
    /// @throws std::runtime_error if the filter can't be made.
    explicit SyscallFilter(FilterOptions options);

    /// For use between fork and exec, since the calls are async-signal-safe. no_new_privs must be set. False with errno
    /// set on failure.
    [[nodiscard]] bool install() noexcept;

    [[nodiscard]] const std::vector<sock_filter>& program() const noexcept { return program_; }

private:
    std::vector<sock_filter> program_;
};

/// True if the kernel supports filters.
bool filters_are_supported() noexcept;

}  // namespace course
