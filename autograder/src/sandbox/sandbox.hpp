// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "sandbox/landlock.hpp"
#include "sandbox/policy.hpp"
#include "sandbox/syscall_filter.hpp"

namespace course {

/// The parts of the sandbox that this machine has.
struct Tiers {
    int landlock = 0;        ///< the kernel's ABI; 0: none
    bool seccomp = false;
    bool users = false;      ///< a runner can have a user of its own
    bool cgroup = false;     ///< and the kernel limits memory and processes of a runner with all that it starts

    /// "landlock 7", "seccomp", "user", "cgroup", "limits": as results name what was in force.
    [[nodiscard]] std::vector<std::string> names() const;
    /// "Landlock 7 (files, TCP, signals), seccomp, limits", for people.
    [[nodiscard]] std::string text() const;
    /// What is left open for want of a newer kernel, in a sentence each; empty: nothing.
    [[nodiscard]] std::vector<std::string> missing() const;
};

/// Looks once, at the first call.
const Tiers& available_tiers();

/// A policy made ready by the grader, to be put in force by a process that it has forked.
class Sandbox {
public:
    /// @throws std::system_error if the kernel refuses what it has said it can do.
    explicit Sandbox(const Policy& policy, const Tiers& tiers = available_tiers());

    /// Between fork and exec, in the only thread there is: from now on this process has no capabilities, gains no
    /// rights by any program, and is under the policy, with all that it starts. Async-signal-safe.
    /// @param kept of a policy for a GPU: the number of a descriptor that stays open
    /// @return null, or the step that failed, with errno set
    [[nodiscard]] const char* enter(int kept = -1) noexcept;

private:
    LandlockRules files_;
    SyscallFilter calls_;
    bool gpu_, filtered_;
    std::optional<SeparateUser> as_;
    std::uint32_t kept_capabilities_;   ///< of root whose kit lies in somebody else's closed folder; else none
};

/// Which of a student's programs are put into the sandbox: compilations and answers that run.
enum class SandboxUse {
    off,          ///< none
    but_on_gpu,   ///< all but answers that run on a GPU, for a driver that doesn't work in it
    everywhere,
};

/// What COURSE_SANDBOX says: "off", or "host" (all but answers that run on a GPU); not set, or "on": everywhere.
/// @throws std::runtime_error that names the words it can be
SandboxUse sandbox_use_of_environment();

constexpr bool compiles_in_sandbox(SandboxUse use) noexcept { return use != SandboxUse::off; }
constexpr bool runs_in_sandbox(SandboxUse use, bool on_gpu) noexcept {
    return use == SandboxUse::everywhere || (use == SandboxUse::but_on_gpu && !on_gpu);
}

/// What can be in force around an answer that runs: nothing but limits outside the sandbox. On a GPU it has the
/// grader's user: CUDA's driver hasn't been tried with another.
Tiers tiers_around_answer(SandboxUse use, bool on_gpu, const Tiers& available = available_tiers());

}  // namespace course
