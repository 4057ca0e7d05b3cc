// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sandbox/policy.hpp"
#include "support/files.hpp"

namespace course {

/// The ABI of the kernel's Landlock; 0 if there is none.
int landlock_abi() noexcept;

/// Rights to files as Landlock's bits, restricted to those that `abi` has.
std::uint64_t landlock_rights(Access access, int abi, bool is_folder) noexcept;

/// A set of rules that a process can impose on itself, permanently. For ABI 0, it is empty and does nothing.
class LandlockRules {
public:
    /// Paths that don't exist are skipped. @throws std::system_error that names the path.
    LandlockRules(const std::vector<PathRule>& rules, int abi);

    /// For use between fork and exec, since the calls are async-signal-safe: also allows this process to name its own
    /// threads, and keeps the folder needed for this open as `descriptor`. False with errno set on failure.
    [[nodiscard]] bool allow_own_thread_names(int descriptor) const noexcept;
    /// Likewise: imposes the rules on this process and what it starts. no_new_privs must be set.
    [[nodiscard]] bool restrict_self() const noexcept;

private:
    UniqueFd rules_;   ///< a high number, out of the way of a child's descriptors
    int abi_;
};

}  // namespace course
