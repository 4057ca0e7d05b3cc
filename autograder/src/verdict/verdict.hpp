// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <course/check_host.hpp>

#include "manifest/manifest.hpp"
#include "protocol/protocol.hpp"
#include "run/caller.hpp"
#include "run/check_report.hpp"

namespace course {

/// A picture in the form that a file stores.
struct DrawnImage {
    std::string name;  ///< "output"
    int rows = 0, columns = 0;
    int channels = 1;                       ///< 1: grey; 3: red, green and blue
    std::vector<std::uint8_t> pixels = {};  ///< row by row, with a pixel's channels together
    std::string file = {};                  ///< the path for display: "work/16-conv2d/pictures/output.png"
};

/// Draws an image: values from 0 to 1 become 0 to 255, others are clamped, and a NaN is magenta (a grey picture that
/// contains one becomes coloured). With more than 2048 rows or columns, every second, third, ... is drawn. None if it
/// has no pixels. @throws CheckError for a name that isn't plain, or a number of values that doesn't fit its shape.
std::optional<DrawnImage> draw_image(const Image& image);

enum class Verdict {
    passed,
    noisy,   ///< the timing was inconclusive; counts as passed, and is marked
    review,  ///< right, and faster than the device can move the bytes: an instructor must look at it
    wrong,
    not_as_asked,  ///< right, but not in the way that the task requires: below a floor, or its kernel didn't run
    over_budget,   ///< right, with more counted work than the task allows
    too_slow,      ///< right, and below the speed line
    crashed,       ///< died, exited or broke the protocol
    timed_out,
    out_of_memory,
    does_not_compile,
    not_started,
    environment,  ///< the machine's fault: no compiler, a full disk, no such device
};

/// "passed", "wrong", "too slow", "does not compile", ... as printed and as exercise.toml spells it.
std::string_view to_string(Verdict verdict) noexcept;

/// The verdict of two parts together: the first of environment, not started, does not compile, crashed, out of memory,
/// timed out, wrong, not as asked, over budget, too slow, review, noisy, passed that occurs.
Verdict worst(Verdict a, Verdict b) noexcept;

/// True if the values were right: passed, noisy, review, too slow, over budget, not as asked.
bool is_right(Verdict verdict) noexcept;

/// 0 passed and noisy, 1 wrong, not as asked, over budget, too slow, review, crashed or hung, 2 does not compile, 3 not
/// started, 4 environment.
int exit_code(Verdict verdict) noexcept;

/// A few neighbours of the first wrong element, in row-major order (in a matrix, those in its row). Empty if there are
/// none.
struct Window {
    std::vector<std::string> got, want;  ///< of equal length
    std::size_t first_wrong = 0;         ///< index of the first wrong element
    bool more_before = false, more_after = false;
};

/// The first wrong element of a case and the common pattern of all wrong ones.
struct Difference {
    std::string where;      ///< "result[256]", "result[2,17]", "result 2[0]" of several, "result" for a scalar
    std::string got, want;  ///< "NaN (never written)", "3.5"
    std::int64_t wrong = 0, total = 0;
    std::string pattern;  ///< after "wrong: 7 of 263, ": "never written, all in the last block of 256"; or empty
    Window window;
};

/// The bounds that check.cpp states for one call's counted work.
struct StatedBudget {
    std::string kernel;  ///< for a required kernel: its name, or its file; empty: the whole call
    Budget budget;
};

struct CaseResult {
    std::string name;      ///< "n = 257"
    std::string function;  ///< "add"
    Verdict verdict = Verdict::passed;
    std::string message;  ///< why it didn't pass, in a few lines; what `difference` shows isn't repeated
    std::optional<Difference> difference;
    double worst_error = 0;  ///< in units of the allowed error: <= 1 passes
    std::int64_t elements = 0;
    std::vector<double> arguments = {};  ///< of each: an array's elements, a number's value
    bool empty = false;                  ///< its arrays have no elements: no floor is asked for there
    bool has_nonfinite = false;          ///< of one that is wrong: its arguments hold infinities, or NaN
    bool anew = false;                   ///< the size of an earlier case with other values (judge/reseeded_cases.hpp)
    gpu::Counts counts{};                ///< of the usual run
    std::optional<gpu::Counts> checked_counts = {};  ///< in check mode; none if the case wasn't run there
    std::optional<WorkCounts> work = {};             ///< of all kernels in check mode; the same
    double modelled_us = 0;                          ///< of such a call (judge/work/budgets.hpp); 0: it wasn't counted
    double seconds = 0;
    std::vector<int> tags = {};  ///< misconceptions that it shows, in order
    std::vector<StatedBudget> stated = {};
    [[nodiscard]] CallSize size() const { return {elements, arguments, empty}; }
};

/// A case with fewer elements shows little: half-filled sectors, a single block, nothing at all.
constexpr std::int64_t min_telling = 31;

/// One budget of a task and the case that came nearest to its bounds, or one that exceeded them.
struct BudgetResult {
    std::string counter;
    std::string case_name;
    double counted = 0;
    std::optional<double> at_most = {};
    std::string cause = {};  ///< if it is exceeded: the worst line of a kernel, and what would be better
    std::optional<double> at_least = {};
    std::string kernel = {};  ///< for a required kernel: "kernel add"; its cause then says everything
    /// Every case that doesn't keep it, and how many times its bound was counted there.
    struct Broken {
        std::string case_name;
        double times = 0;
    };
    std::vector<Broken> broken = {};
    int tag = 0;                   ///< the misconception that the count shows; 0: none
    bool decides = false;          ///< it is exceeded, and determines the verdict
    std::int64_t elements = 0;     ///< of the case
    std::string statement = {};    ///< for a required kernel, its own wording: "... must run exactly once; ..."
    bool index_is_wrong = false;   ///< two threads handle one element: all counts follow from that
    bool ledger_shows_it = false;  ///< several launches share the work
    std::string shown = {};        ///< the counter in CUDA's words, for a plain CUDA program; empty: its name
    [[nodiscard]] bool falls_short() const { return at_least && !(counted >= *at_least); }
    [[nodiscard]] bool exceeds() const { return at_most && !(counted <= *at_most); }
    [[nodiscard]] bool kept() const { return !falls_short() && !exceeds(); }
};

/// A number that check.cpp computed from a call's results, in the case where it comes nearest to its bound or exceeds
/// it.
struct MeasuredProperty {
    std::string name;  ///< "residual |A - U S Vt| / |A|"
    std::string case_name;
    double measured = 0, at_most = 0;
};

struct SpeedResult {
    double speedup = 0, low = 0, high = 0;  ///< median of the pairs, and the interval that covers it
    double at_least = 0;                    ///< the pass line
    double copy_percent = 0;                ///< share of the device's copy bandwidth; 0: not known
    double at_least_percent = 0;            ///< the pass line for it; 0: none
    double seconds = 0, baseline_seconds = 0;
    double late_seconds = 0;       ///< in `seconds`: the results came later after `done` than they take
    double reference_seconds = 0;  ///< of a copy of `bytes` by the grader's reference; 0: none
    double bytes = 0;              ///< moved by one call, from check.cpp
    int pairs = 0;
    int retries = 0;             ///< further attempts after noisy ones
    bool kept_baseline = false;  ///< the baseline was measured in an earlier run
    bool noisy = false;
    bool implausible = false;  ///< faster than the device can move the bytes: if graded, `review`
    bool graded = false;       ///< false: shown only, or not measured
    std::string note;          ///< why it isn't measured: "no GPU. Counted work decides here."
};

/// A prediction that a run refutes, or a missing one.
struct WrongPrediction {
    int number = 0;         ///< counted from 1, in the order in which the task asks
    std::string what;       ///< "idle threads"
    std::string predicted;  ///< "0"; empty: missing
    std::string shown;      ///< "24"
    std::string case_name;  ///< "n = 1000, block = 256"
};

/// The result of a task's predictions.
struct PredictionResult {
    int right = 0, total = 0, at_least = 0;
    std::vector<WrongPrediction> wrong;
};

/// A mistake in a kernel, and the case in which check mode found it.
struct FoundMistake {
    std::string case_name;
    Finding finding;
};

/// The result of the second run, in check mode. It explains a verdict or makes it worse.
struct CheckResult {
    int cases = 0;        ///< that ran kernels and finished
    std::string largest;  ///< the largest of them: "n = 1009"
    std::vector<FoundMistake> found;
    std::uint64_t more_found = 0;  ///< not in the list
    std::string work_case;         ///< the case of `kernels`: the largest, or one over a budget; empty: none
    std::int64_t work_elements = 0;
    std::vector<KernelCounts> kernels;
    std::string note;  ///< why not all was checked
    /// Cases whose work was counted, and those among them that a process without the answer's host code has counted.
    int counted = 0, replayed = 0;
    std::string not_replayed;  ///< what prevented the first of the others; empty: there is none
};

/// Where the judge's seconds went.
struct Spent {
    double drawing = 0, copying = 0, calls = 0, reference = 0, baselines = 0, comparing = 0, check_mode = 0;
    double all = 0;  ///< including the check itself
};

struct TaskResult {
    std::string id, title;
    int points = 0, max_points = 0;
    bool star = false;  ///< a bonus, ignored in the exercise's verdict; if not begun: `not_started`
    Verdict verdict = Verdict::passed;
    std::string message;  ///< concerning the task: "copies_to_device: 3 counted, at most 2 (n = 257)"
    std::vector<CaseResult> cases;
    std::vector<BudgetResult> budgets;
    std::vector<MeasuredProperty> properties = {};
    std::optional<SpeedResult> speed;
    std::optional<PredictionResult> predictions = {};  ///< none if the task asks for none
    std::optional<CheckResult> check = {};             ///< none if no case is small enough
    std::vector<int> tags = {};                        ///< misconceptions that the verdict shows, in order
    std::vector<DrawnImage> images = {};               ///< for the student to look at
    std::string ahead = {};  ///< the manifest's sentence about a later task; {counter} is filled in
    Spent spent;
};

/// True if the task is done: passed, or passed as noisy.
inline bool is_passed(const TaskResult& task) { return exit_code(task.verdict) == 0; }

/// The failed case that tells a student most, for the screen and for the search in check mode; null if none failed.
/// Among the cases with the task's verdict: the first of 31 to 2000 elements with a pattern in its wrong elements; else
/// the first with a pattern of more than one element; else the first of that size; else the first. (A single element
/// has no pattern of places, and nobody counts among a million.)
const CaseResult* telling_case(const TaskResult& task);

/// What was judged where; all of it is recorded in result.json.
struct Environment {
    std::string backend, device, compiler, kit_version, machine;
    std::string unused_gpu;                 ///< why no GPU was used; empty if one was
    std::vector<std::string> sandbox = {};  ///< the parts in force: "landlock 7", "seccomp", "limits"
};

struct Result {
    int number = 0;
    std::string exercise, title;
    Verdict verdict = Verdict::passed;
    std::string message;                ///< compile error, environment fault, ...: concerning the whole exercise
    std::vector<std::string> warnings;  ///< the compiler's, about the student's files: place, words, line and caret
    std::string printed;                ///< what the student's code printed, sanitised and capped
    std::vector<TaskResult> tasks;
    Environment environment;
    std::uint64_t seed = 0;  ///< of the inputs; with it (and the same code) a run can be repeated
    double seconds = 0;
    [[nodiscard]] int points() const;
    [[nodiscard]] int max_points() const;
    [[nodiscard]] int stars() const;  ///< bonus tasks that passed
    [[nodiscard]] int max_stars() const;
};

/// The result of a task that wasn't judged.
inline TaskResult not_judged(const Task& task, Verdict verdict, std::string message = "") {
    TaskResult result;
    result.id = task.id;
    result.title = task.title;
    result.max_points = task.points;
    result.star = task.star;
    result.verdict = verdict;
    result.message = std::move(message);
    return result;
}

/// The verdict on a case whose call had this outcome.
Verdict verdict_of(Outcome outcome) noexcept;

/// True if further cases would only repeat it, or if the runner is gone; after an exception, the next case is still
/// tried.
bool ends_task(Outcome outcome) noexcept;

/// The message if the session gives none.
std::string_view default_message(Outcome outcome) noexcept;

/// The misconception that a finding shows by itself, in any exercise; 0: there may be several behind it, or none. A
/// barrier that is missing or not reached by all: 5; shared memory read before it was written: 7; an address of the
/// other side: 11; streams without an event: 15.
int tag_of(const Finding& finding) noexcept;

/// Records the misconceptions that a failed task's verdict shows: from the budgets that decided it, from check mode's
/// findings, and from what the task's `tags` match in the case that is shown or in a wrong prediction.
void note_tags(const Task& task, TaskResult& result);

}  // namespace course
