// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "run/caller.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// The verdict on a case whose call ended so.
Verdict verdict_of(Outcome outcome) noexcept;

/// True if further cases would only say the same again, or if the runner is gone; after an exception the next case is
/// still tried.
bool ends_task(Outcome outcome) noexcept;

/// What to say if the session has no words of its own.
std::string_view default_message(Outcome outcome) noexcept;

}  // namespace course
