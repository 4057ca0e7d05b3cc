// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "loop/kit.hpp"

namespace course {

// The commands of `course`. Each prints what the user reads and returns the exit code: 0 passed or done, 1 wrong, not
// as asked, over budget, too slow, crashed or hung, 2 does not compile, 3 not started (a solution: not shown, or not
// yet), 4 environment or usage.

/// How `course run` judges.
struct RunOptions {
    int number = 0;
    std::string from;                    ///< a folder to judge instead of work/NN-topic
    std::string pictures;                ///< with `from`: where the check's pictures go; empty: nowhere
    bool json = false;                   ///< result.json on stdout instead of the screen
    bool counts = false;                 ///< what each line of the kernels did, below the verdict
    bool watched = false;                ///< `course watch` runs it, and its keys say what comes next
    bool timings = false;                ///< where the seconds went, below the verdict; speed on the host backend too
    std::string device;                  ///< "host", "cuda:0"; empty: libgpu's own choice
    std::optional<std::uint64_t> seed;   ///< of the inputs; a new secret one each time if not given
    double call_seconds = 0;             ///< limit of one call; 0: the manifest's
};

/// What `course show` draws.
struct ShowOptions {
    int number = 0;
    std::string from;        ///< a folder to draw instead of work/NN-topic
    std::string task;        ///< empty: the first that isn't right
    std::string case_name;   ///< "n=33"; empty: the one that the verdict shows
    std::string out;         ///< empty: work/show/, or stdout for what isn't a page
    std::string picture;     ///< one of gpu::Picture's names: an SVG of it in place of the page
    bool text = false, json = false;
    std::string compare;     ///< "solution", a file or a folder; empty: nothing
    std::optional<std::uint64_t> seed;
};

/// Whose ledger `course ledger` prints.
struct LedgerOptions {
    int number = 0;
    std::string from;        ///< a folder to look at instead of work/NN-topic
    std::string task;        ///< empty: the first that isn't right
    std::string case_name;   ///< "n=33"; empty: the one that the verdict shows
    std::optional<std::uint64_t> seed;
};

/// What `course debug` shows in the debugger.
struct DebugOptions {
    int number = 0;
    std::string from;            ///< a folder to debug instead of work/NN-topic
    std::string task;            ///< empty: the first that isn't right
    std::string case_name;       ///< "n=33"; empty: the one that the verdict shows
    std::string at;              ///< "reduce.cu:20": stop there, too
    bool print_command = false;  ///< prepare everything, and print the command in place of running it
    std::optional<std::uint64_t> seed;
};

/// What `course lesson` runs.
struct LessonOptions {
    int number = 0;
    std::string program;         ///< empty: all, in order
    std::string programs;        ///< the folder of the built programs; empty: the kit's own
    bool target = false;         ///< print the build's target, and no more
    bool breather = false;       ///< its breather's programs instead
};

/// What `course dev lessons` looks at.
struct DevLessonsOptions {
    std::vector<int> numbers;    ///< empty: all, and what holds between them
    bool write = false;          ///< make the generated parts and the kept outputs anew
    std::string programs;        ///< the folder of the built programs; empty: the kit's own
};

/// What `course dev edition` makes.
struct EditionOptions {
    std::string out;         ///< the folder; OUT.tar.gz lies beside it; empty: build/dist/gpu-course-student-VERSION
    std::string solutions;   ///< where students find them; empty: what student_edition.toml says
};

/// Where `course progress` takes the progress to, or from. At most one of the two is given.
struct ProgressOptions {
    std::string export_to, import_from;   ///< a file; "-": standard output (as is neither) or input
};

/// Whose answers `course submit` packs, and where to.
struct SubmitOptions {
    std::string out;        ///< empty: work/submission-ID.zip
    std::string name, id;   ///< of the student; empty: what was said before, else it is asked
};

/// What `course log` does: with a note it logs a step of the capstone, else it shows the log.
struct LogOptions {
    std::string note;       ///< what was changed
    bool noted = false;     ///< a note was given, and be it an empty one
    bool page = false;      ///< write the page with the chart
    std::string out;        ///< the page's file; empty: log.html beside the log
    std::string device;     ///< "host", "cuda:0"; empty: libgpu's own choice
};

int status_command(const Kit& kit);
int summary_command(const Kit& kit, bool json);
int progress_command(const Kit& kit, const ProgressOptions& options);
int submit_command(const Kit& kit, const SubmitOptions& options);
/// @param what an exercise's number, or a file of an answer; empty: the first exercise that isn't passed, and then on
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
int doctor_command(const Kit& kit);
int tour_command(const Kit& kit);
int lesson_command(const Kit& kit, const LessonOptions& options);
/// @param given the answer; empty: ask for it
int quiz_command(const Kit& kit, const std::string& given);
/// @param numbers of exercises; none: all
/// @param json a line of JSON for each, one after the other, in place of the table
int dev_check_command(const Kit& kit, const std::vector<int>& numbers, bool json);
int dev_lessons_command(const Kit& kit, const DevLessonsOptions& options);
int dev_edition_command(const Kit& kit, const EditionOptions& options);
/// The capstone's given version and its solution: both pass, and the solution moves fewer bytes.
int dev_capstone_command(const Kit& kit);
int dev_new_command(const Kit& kit, const std::string& folder_name);

}  // namespace course
