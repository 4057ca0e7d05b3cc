// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "judge/judge.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// "n=33" for "n = 33": how cases are compared, so that a shell needs no quotes. Pure.
std::string without_blanks(std::string_view text);

/// Which of them to look at: the `wanted` one, else the one that the verdict shows; where a budget isn't kept, a small
/// one that shows it plainly; of a right answer, one that is neither trivial nor large. Null: there is none. Pure.
const KeptCase* case_to_look_at(const JudgedTask& judged, const std::string& wanted);

/// Why there is no case to look at: none of the `wanted` name, or all of them are too large. Pure.
/// @param too_large what is said where none was wanted
std::string no_case_text(const JudgedTask& judged, const std::string& wanted, const std::string& too_large);

/// @throws UsageError if the exercise has no task of this name; "" asks for none
void check_task(const Manifest& manifest, const std::string& wanted);

/// What is looked at: kernels, as in a picture or in the debugger, or all that an answer asks of the device.
enum class LookFor { kernels, requests };

/// What the user has asked for; "" leaves it open.
struct WantedCase {
    std::string task, case_name;
    LookFor look_for = LookFor::kernels;
};

/// A task to look at, and which of its cases.
struct ChosenCase {
    const JudgedTask* task = nullptr;   ///< null: there is none
    const KeptCase* one = nullptr;      ///< null: it has none of that name, or none that is small enough
};

/// Which task and case to look at, where the user leaves it open: the first task that is begun, failed and has
/// something to see; else, of those that passed and have, the last one as long as another task is open, the first one
/// if all passed. Then those without anything to see; one that isn't begun comes last. A task without a case is left
/// out if another has one. Pure.
ChosenCase case_to_look_at(std::span<const JudgedTask> tasks, const WantedCase& wanted);

}  // namespace course
