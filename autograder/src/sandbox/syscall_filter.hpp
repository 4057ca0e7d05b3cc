// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include <linux/filter.h>

#include "sandbox/allowed_calls.hpp"

namespace course {

/// What the filter has to know of the rest of the sandbox.
struct FilterOptions {
    CallList calls = CallList::runner;
    bool forks = false;
    bool signals_scoped = true;   ///< Landlock keeps signals in; else a process may send them to itself alone
};

/// A seccomp filter: the system calls of a list (allowed_calls.hpp), of which some fail with EPERM by their
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
