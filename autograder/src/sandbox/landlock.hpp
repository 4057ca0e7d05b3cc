// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "sandbox/policy.hpp"
#include "support/files.hpp"

namespace course {

/// What the kernel's Landlock can do: its ABI, 0 where there is none.
int landlock_abi() noexcept;

/// Rights over files as Landlock's bits, those that `abi` knows.
std::uint64_t landlock_rights(Access access, int abi, bool is_folder) noexcept;

/// A set of rules that a process can put itself under, for good. For ABI 0 it is empty and does nothing.
class LandlockRules {
public:
    /// Paths that don't exist are left out. @throws std::system_error that names the path.
    LandlockRules(const std::vector<PathRule>& rules, int abi);

    /// Between fork and exec, as the calls are async-signal-safe: also allows this process to name its own threads, and
    /// keeps the folder that this takes open as `descriptor`. False: errno says why.
    [[nodiscard]] bool allow_own_thread_names(int descriptor) const noexcept;
    /// The same: from now on the rules hold for this process and what it starts. no_new_privs must be set.
    [[nodiscard]] bool restrict_self() const noexcept;

private:
    OpenFile rules_;   ///< its number is high enough not to be in the way of what a child is given
    int abi_;
};

}  // namespace course
