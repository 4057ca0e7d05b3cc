// SPDX-License-Identifier: MIT
#pragma once

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

/// Which task to look at: the `wanted` one, else the first that isn't right, else the first of all.
class TaskChoice {
public:
    explicit TaskChoice(std::string wanted) : wanted_(std::move(wanted)) {}

    /// To be asked once for each task, in order. True: this one, in place of one before it.
    bool takes(const JudgedTask& judged);
    /// The task that was just taken has a case to look at: no later one that isn't right takes its place.
    void has_case() noexcept { failed_before_ = failed_; }

private:
    std::string wanted_;
    bool has_one_ = false, failed_ = false, failed_before_ = false;
};

}  // namespace course
