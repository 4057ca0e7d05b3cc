// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sandbox/landlock.hpp"
#include "sandbox/policy.hpp"
#include "sandbox/syscall_filter.hpp"

namespace course {

/// The sandbox mechanisms of this machine.
struct Tiers {
    int landlock = 0;        ///< the kernel's ABI; 0: none
    bool seccomp = false;
    bool users = false;      ///< a runner can have its own user
    bool cgroup = false;     ///< and the kernel limits memory and processes of a runner with everything that it starts

    /// "landlock 7", "seccomp", "user", "cgroup", "limits": the names in results.
    [[nodiscard]] std::vector<std::string> names() const;
    /// "Landlock 7 (files, TCP, signals), seccomp, limits", for people.
    [[nodiscard]] std::string text() const;
    /// What stays open because the kernel is too old, one sentence each; empty: nothing.
    [[nodiscard]] std::vector<std::string> missing() const;
};

/// Determined once, on the first call.
const Tiers& available_tiers();

/// A policy prepared by the grader, to be enforced by a process that it forks.
class Sandbox {
public:
    /// @throws std::system_error if the kernel refuses something that it claims to support.
    explicit Sandbox(const Policy& policy, const Tiers& tiers = available_tiers());

    /// For use between fork and exec, in the only thread: drops this process's capabilities for good, keeps it from
    /// gaining rights through any program, and imposes the policy on it and everything that it starts.
    /// Async-signal-safe.
    /// @param kept for a GPU's policy: the number of a descriptor that stays open
    /// @return null, or the step that failed, with errno set
    [[nodiscard]] const char* enter(int kept = -1) noexcept;

private:
    LandlockRules files_;
    SyscallFilter calls_;
    bool gpu_, filtered_;
    std::optional<SeparateUser> as_;
    std::uint32_t kept_capabilities_;   ///< of root if the kit is in somebody else's closed folder; otherwise none
};

/// Which of a student's programs run in the sandbox: compilations and answers.
enum class SandboxUse {
    off,          ///< none
    but_on_gpu,   ///< all but answers on a GPU, for a driver that doesn't work in it
    everywhere,
};

/// The value of COURSE_SANDBOX: "off", or "host" (all but answers on a GPU); unset, or "on": everywhere.
/// @throws std::runtime_error that lists the valid words
SandboxUse sandbox_use_of_environment();

constexpr bool compiles_in_sandbox(SandboxUse use) noexcept { return use != SandboxUse::off; }
constexpr bool runs_in_sandbox(SandboxUse use, bool on_gpu) noexcept {
    return use == SandboxUse::everywhere || (use == SandboxUse::but_on_gpu && !on_gpu);
}

/// The mechanisms for a running answer: only limits if it is outside the sandbox. On a GPU it runs as the grader's
/// user: CUDA's driver hasn't been tested with another.
Tiers tiers_around_answer(SandboxUse use, bool on_gpu, const Tiers& available = available_tiers());

}  // namespace course
