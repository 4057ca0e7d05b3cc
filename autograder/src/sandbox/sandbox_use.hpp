// SPDX-License-Identifier: MIT
#pragma once

#include "sandbox/sandbox.hpp"

namespace course {

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
