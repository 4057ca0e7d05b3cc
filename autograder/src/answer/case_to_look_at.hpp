// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "judge/judge.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// "n=33" for "n = 33": the form for comparing cases, so that a shell needs no quotes. Pure.
std::string without_blanks(std::string_view text);

/// The case to look at: the `wanted` one, or the one that the verdict shows; if a budget is exceeded, a small one that
/// shows it plainly; for a right answer, one that is neither trivial nor large. Null: there is none. Pure.
const ReplayableCase* case_to_look_at(const JudgedTask& judged, const std::string& wanted);

/// Why there is no case to look at: none has the `wanted` name, or all of them are too large. Pure.
/// @param too_large the sentence if none was wanted
std::string no_case_text(const JudgedTask& judged, const std::string& wanted, const std::string& too_large);

/// @throws UsageError if the exercise has no task of this name; "" names none
void check_task(const Manifest& manifest, const std::string& wanted);

/// What to look at: kernels, in a picture or in the debugger, or everything that an answer asks of the device.
enum class LookFor { kernels, requests };

/// The user's request; "" leaves it open.
struct WantedCase {
    std::string task, case_name;
    LookFor look_for = LookFor::kernels;
};

/// A task to look at, and which of its cases.
struct ChosenCase {
    const JudgedTask* task = nullptr;   ///< null: there is none
    const ReplayableCase* one = nullptr;      ///< null: it has none of that name, or none that is small enough
};

/// The task and case to look at if the user leaves it open: the first begun task that failed and has something to see;
/// otherwise, among those that passed and have, the last one while another task is open, or the first one if all
/// passed. Then those without anything to see; tasks that aren't begun come last. A task without a case is skipped if
/// another has one. Pure.
ChosenCase case_to_look_at(std::span<const JudgedTask> tasks, const WantedCase& wanted);

}  // namespace course
