// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "answer/judge_answer.hpp"
#include "kit/kit.hpp"

namespace course {

// The commands of `course`; those for authors are in author/dev_commands.hpp. Each prints its output and returns the
// exit code: 0 passed or done, 1 wrong, not as asked, over budget, too slow, review, crashed or hung, 2 does not
// compile, 3 not started (for a solution: not shown, or not yet), 4 environment or usage.

/// The options of `course show`.
struct ShowOptions {
    int number = 0;
    std::string from;        ///< a folder to draw instead of work/NN-topic
    std::string task;        ///< empty: the first one that isn't right
    std::string case_name;   ///< "n=33"; empty: the one that the verdict shows
    std::string out;         ///< empty: work/show/, or stdout for anything but a page
    std::string picture;     ///< one of gpu::Picture's names: write it as an SVG instead of the page
    bool text = false, json = false;
    std::string compare;     ///< "solution", a file or a folder; empty: nothing
    std::optional<std::uint64_t> seed;
};

/// The options of `course ledger`.
struct LedgerOptions {
    int number = 0;
    std::string from;        ///< a folder to look at instead of work/NN-topic
    std::string task;        ///< empty: the first one that isn't right
    std::string case_name;   ///< "n=33"; empty: the one that the verdict shows
    std::optional<std::uint64_t> seed;
};

/// The options of `course debug`.
struct DebugOptions {
    int number = 0;
    std::string from;            ///< a folder to debug instead of work/NN-topic
    std::string task;            ///< empty: the first one that isn't right
    std::string case_name;       ///< "n=33"; empty: the one that the verdict shows
    std::string at;              ///< "reduce.cu:20": another place to stop
    bool print_command = false;  ///< prepare everything, but print the command instead of running it
    std::optional<std::uint64_t> seed;
};

/// The options of `course lesson`.
struct LessonOptions {
    int number = 0;
    std::string program;         ///< only these, separated by commas; empty: all, unless questions are chosen
    std::string questions;       ///< only these, and the programs that answer them
    std::string programs;        ///< the folder of the built programs; empty: the kit's own
    bool target = false;         ///< only print the build targets of what would run
    bool breather = false;       ///< its breather's programs instead
};

/// Where `course progress` writes the progress to, or reads it from. At most one of the two is given.
struct ProgressOptions {
    std::string export_to, import_from;   ///< a file; "-": standard output (also the default) or input
};

/// Whose answers `course submit` packs, and where.
struct SubmitOptions {
    std::string out;        ///< empty: work/submission-ID.zip
    std::string name, id;   ///< the student's; empty: the previous ones, otherwise asked for
};

/// The options of `course log`: with a note, it logs a step of the capstone; otherwise it shows the log.
struct LogOptions {
    std::string note;       ///< what the student changed
    bool noted = false;     ///< a note was given, even an empty one
    bool page = false;      ///< write the page with the chart
    std::string out;        ///< the page's file; empty: log.html next to the log
    std::string device;     ///< "host", "cuda:0"; empty: libgpu's own choice
};

int status_command(const Kit& kit);
int summary_command(const Kit& kit, bool json);
int progress_command(const Kit& kit, const ProgressOptions& options);
int submit_command(const Kit& kit, const SubmitOptions& options);
/// @param what an exercise's number, or a file of an answer; empty: start with the first exercise that isn't passed
int watch_command(const Kit& kit, const std::string& what);
int list_command(const Kit& kit);
int run_command(const Kit& kit, const RunOptions& options);
int show_command(const Kit& kit, ShowOptions options);
int ledger_command(const Kit& kit, LedgerOptions options);
int debug_command(const Kit& kit, DebugOptions options);
int hint_command(const Kit& kit, int number);
int reset_command(const Kit& kit, int number, bool yes);
int solution_command(const Kit& kit, int number, bool force);
int log_command(const Kit& kit, const LogOptions& options);
/// @param json print each line with its fix, for programs and for pasting into reports
int doctor_command(const Kit& kit, bool json);
int tour_command(const Kit& kit);
int lesson_command(const Kit& kit, const LessonOptions& options);
/// @param given the answer; empty: ask for it
int quiz_command(const Kit& kit, const std::string& given);
/// @param topic one of the kit's pages; empty: list them
int help_command(const Kit& kit, const std::string& topic);
/// The capstone's given version and its solution: both pass, and the solution moves fewer bytes.
int dev_capstone_command(const Kit& kit);

/// Joins two pages: the second's pictures are placed next to the first's, each under its name. Pure.
std::string side_by_side(const std::string& first, std::string_view first_name, const std::string& second,
                         std::string_view second_name);

}  // namespace course
