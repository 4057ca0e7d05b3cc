// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "command_line.hpp"

namespace course {

// The commands of `course`, each with its options in a file of this folder; those for authors are in author/. Each
// prints what the user reads and returns the exit code: 0 passed or done, 1 wrong, not as asked, over budget, too slow,
// review, crashed or hung, 2 does not compile, 3 not started (a solution: not shown, or not yet), 4 environment or
// usage.

AddCommand add_status, add_list, add_doctor, add_tour, add_summary, add_watch, add_progress, add_submit, add_run,
    add_show, add_ledger, add_debug, add_profile, add_lesson, add_quiz, add_help, add_hint, add_reset, add_solution,
    add_own, add_log,
    add_dev_capstone;  // of `course dev`
/// In the order of `course --help`.
inline constexpr AddCommand* student_commands[] = {add_status, add_list,     add_doctor,  add_tour,     add_summary,
                                                   add_watch,  add_progress, add_submit,  add_run,      add_show,
                                                   add_ledger, add_debug,    add_profile, add_lesson,   add_quiz,
                                                   add_help,   add_hint,     add_reset,   add_solution, add_own,
                                                   add_log};

/// The call that `course show`, `ledger`, `debug` and `profile` look at.
struct CallOptions {
    int number = 0;
    std::string from;       ///< a folder instead of work/NN-topic
    std::string task;       ///< empty: the first that isn't right
    std::string case_name;  ///< "n=33"; empty: the one that the verdict shows
    std::optional<std::uint64_t> seed = 1;

    void add_choice(const CommandOptions& command);
    void add_source(const CommandOptions& command, const std::string& from_about);
};

int list_command(const Kit& kit);
int hint_command(const Kit& kit, int number);

/// Joins two pages: the second's pictures are placed next to the first's, each under its name. Pure.
std::string side_by_side(const std::string& first, std::string_view first_name, const std::string& second,
                         std::string_view second_name);

}  // namespace course
