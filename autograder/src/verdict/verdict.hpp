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

/// A picture as it goes into a file.
struct DrawnImage {
    std::string name;                    ///< "output"
    int rows = 0, columns = 0;
    int channels = 1;                    ///< 1: grey; 3: red, green and blue
    std::vector<std::uint8_t> pixels = {};   ///< row by row, a pixel's channels together
    std::string file = {};               ///< where it was written, as it is shown: "work/16-conv2d/pictures/output.png"
};

/// Draws an image: values from 0 to 1 become 0 to 255, what lies outside is clamped, and a NaN is magenta (a grey
/// picture that has one becomes coloured). Of more than 2048 rows or columns every second, third, ... is drawn. None if
/// it has no pixels. @throws CheckError for a name that isn't plain, or another number of values than its shape has.
std::optional<DrawnImage> draw_image(const Image& image);

enum class Verdict {
    passed,
    noisy,              ///< the timing could not tell; counts as passed, and is marked
    review,             ///< right, and faster than the device can move the bytes: an instructor has to look at it
    wrong,
    not_as_asked,       ///< right, but not by the way that the task is about: below a floor, or its kernel didn't run
    over_budget,        ///< right, with more counted work than the task allows
    too_slow,           ///< right, and below the speed line
    crashed,            ///< died, exited or broke the protocol
    timed_out,
    out_of_memory,
    does_not_compile,
    not_started,
    environment,        ///< the machine's fault: no compiler, a full disk, no such device
};

/// "passed", "wrong", "too slow", "does not compile", ... as printed and as exercise.toml spells it.
std::string_view to_string(Verdict verdict) noexcept;

/// The verdict of two parts together: environment, not started, does not compile, crashed, out of memory, timed out,
/// wrong, not as asked, over budget, too slow, review, noisy, passed; the first of them that occurs.
Verdict worst(Verdict a, Verdict b) noexcept;

/// True if the values were right: passed, noisy, review, too slow, over budget, not as asked.
bool is_right(Verdict verdict) noexcept;

/// 0 passed and noisy, 1 wrong, not as asked, over budget, too slow, review, crashed or hung, 2 does not compile, 3 not
/// started, 4 environment.
int exit_code(Verdict verdict) noexcept;

/// A few neighbours of the first wrong element, in row-major order (of a matrix, those in its row). Empty if there are
/// none.
struct Window {
    std::vector<std::string> got, want;   ///< equally many
    std::size_t first_wrong = 0;          ///< which of them is the first wrong element
    bool more_before = false, more_after = false;
};

/// The first wrong element of a case and what all wrong ones have in common.
struct Difference {
    std::string where;           ///< "result[256]", "result[2,17]", "result 2[0]" of several, "result" for a scalar
    std::string got, want;       ///< "NaN (never written)", "3.5"
    std::int64_t wrong = 0, total = 0;
    std::string pattern;         ///< after "wrong: 7 of 263, ": "never written, all in the last block of 256"; or empty
    Window window;
};

/// What check.cpp states of one call's counted work.
struct StatedBudget {
    std::string kernel;          ///< of a required kernel: its name, or its file; empty: of the whole call
    Budget budget;
};

struct CaseResult {
    std::string name;            ///< "n = 257"
    std::string function;        ///< "add"
    Verdict verdict = Verdict::passed;
    std::string message;         ///< why not passed, in a few lines; what `difference` shows isn't repeated
    std::optional<Difference> difference;
    double worst_error = 0;      ///< in units of the allowed error: <= 1 passes
    std::int64_t elements = 0;
    std::vector<double> arguments = {};   ///< of each: an array's elements, a number's value
    bool empty = false;          ///< its arrays have no elements: no floor is asked for there
    bool has_nonfinite = false;  ///< of one that is wrong: its arguments hold infinities, or NaN
    bool anew = false;           ///< the size of an earlier case with other values (judge/drawn_anew.hpp)
    gpu::Counts counts{};   ///< of the usual run
    std::optional<gpu::Counts> checked_counts = {};   ///< in check mode; none if the case wasn't run there
    std::optional<WorkCounts> work = {};   ///< of all kernels in check mode; the same
    double modelled_us = 0;      ///< of such a call (judge/work/budgets.hpp); 0: it wasn't counted
    double seconds = 0;
    std::vector<int> tags = {};   ///< misconceptions that show in it, in order
    std::vector<StatedBudget> stated = {};
    [[nodiscard]] CallSize size() const { return {elements, arguments, empty}; }
};

/// A case of fewer elements shows little: half-filled sectors, a single block, nothing at all.
constexpr std::int64_t min_telling = 31;

/// One budget of a task and the case that came nearest to its bounds, or one that broke them.
struct BudgetResult {
    std::string counter;
    std::string case_name;
    double counted = 0;
    std::optional<double> at_most = {};
    std::string cause = {};      ///< of one that isn't kept: the worst line of a kernel, and what would be better
    std::optional<double> at_least = {};
    std::string kernel = {};     ///< of a required kernel: "kernel add"; its cause is then all there is to say
    /// Every case that doesn't keep it, and how many times its bound was counted there.
    struct Broken {
        std::string case_name;
        double times = 0;
    };
    std::vector<Broken> broken = {};
    int tag = 0;                 ///< the misconception that shows in what was counted; 0: none
    bool decides = false;        ///< it isn't kept, and the verdict says so
    std::int64_t elements = 0;   ///< of the case
    std::string statement = {};     ///< of a required kernel, in words of its own: "... must run exactly once; ..."
    bool index_is_wrong = false;    ///< two threads have one element: whatever is counted follows from that
    bool ledger_shows_it = false;   ///< several launches share the work
    [[nodiscard]] bool falls_short() const { return at_least && !(counted >= *at_least); }
    [[nodiscard]] bool exceeds() const { return at_most && !(counted <= *at_most); }
    [[nodiscard]] bool kept() const { return !falls_short() && !exceeds(); }
};

/// A number that check.cpp computed of a call's results, in the case where it comes nearest to its bound or exceeds it.
struct MeasuredProperty {
    std::string name;            ///< "residual |A - U S Vt| / |A|"
    std::string case_name;
    double measured = 0, at_most = 0;
};

struct SpeedResult {
    double speedup = 0, low = 0, high = 0;   ///< median of the pairs, and the interval that covers it
    double at_least = 0;                     ///< the pass line
    double copy_percent = 0;                 ///< share of the device's copy bandwidth; 0: not known
    double at_least_percent = 0;             ///< the pass line for it; 0: none
    double seconds = 0, baseline_seconds = 0;
    double late_seconds = 0;                 ///< in `seconds`: the results came later after `done` than they take
    double reference_seconds = 0;            ///< of a copy of `bytes` by the grader's reference; 0: none
    double bytes = 0;                        ///< moved by one call, from check.cpp
    int pairs = 0;
    int retries = 0;                         ///< further attempts, where one was noisy
    bool kept_baseline = false;              ///< the baseline was measured in an earlier run
    bool noisy = false;
    bool implausible = false;                ///< faster than the device can move the bytes: where graded, `review`
    bool graded = false;                     ///< false: shown only, or not measured
    std::string note;                        ///< why it isn't measured: "no GPU. Counted work decides here."
};

/// A prediction that a run refutes, or one that isn't made yet.
struct WrongPrediction {
    int number = 0;              ///< counted from 1, in the order in which the task asks
    std::string what;            ///< "idle threads"
    std::string predicted;       ///< "0"; empty: none yet
    std::string shown;           ///< "24"
    std::string case_name;       ///< "n = 1000, block = 256"
};

/// What came of a task's predictions.
struct PredictionResult {
    int right = 0, total = 0, at_least = 0;
    std::vector<WrongPrediction> wrong;
};

/// A mistake in a kernel, and in which case check mode found it.
struct FoundMistake {
    std::string case_name;
    Finding finding;
};

/// What the second run, in check mode, gave. It explains a verdict or makes it worse.
struct CheckResult {
    int cases = 0;                       ///< that ran kernels, to their ends
    std::string largest;                 ///< the largest of them: "n = 1009"
    std::vector<FoundMistake> found;
    std::uint64_t more_found = 0;        ///< that aren't in the list
    std::string work_case;               ///< whose `kernels` these are: the largest, or one over a budget; empty: none
    std::int64_t work_elements = 0;
    std::vector<KernelCounts> kernels;
    std::string note;                    ///< why not all was checked
    /// Cases whose work was counted, and those among them that a process without the answer's host code has counted.
    int counted = 0, replayed = 0;
    std::string not_replayed;            ///< what kept the first of the others from it; empty: there is none
};

/// Where the judge's seconds went.
struct Spent {
    double drawing = 0, copying = 0, calls = 0, reference = 0, baselines = 0, comparing = 0, check_mode = 0;
    double all = 0;       ///< with what the check itself takes
};

struct TaskResult {
    std::string id, title;
    int points = 0, max_points = 0;
    bool star = false;           ///< a bonus, of which the exercise's verdict takes no notice; not begun: `not_started`
    Verdict verdict = Verdict::passed;
    std::string message;         ///< what holds for the task: "copies_to_device: 3 counted, at most 2 (n = 257)"
    std::vector<CaseResult> cases;
    std::vector<BudgetResult> budgets;
    std::vector<MeasuredProperty> properties = {};
    std::optional<SpeedResult> speed;
    std::optional<PredictionResult> predictions = {};   ///< none in a task that asks for none
    std::optional<CheckResult> check = {};   ///< none where no case is small enough
    std::vector<int> tags = {};  ///< misconceptions that the verdict shows, in order
    std::vector<DrawnImage> images = {};     ///< for the student to look at
    std::string ahead = {};                  ///< the manifest's sentence on a later task, {counter} to be filled in
    Spent spent;
};

/// True if the task is done: passed, and be it by noise.
inline bool is_passed(const TaskResult& task) { return exit_code(task.verdict) == 0; }

/// The failed case that tells a student most, for the screen and for the search in check mode; null if none failed. Of
/// the cases that have the task's verdict: the first of 31 to 2000 elements whose wrong elements have something in
/// common; else the first with such a pattern in more than one element; else the first of that size; else the first.
/// (One element has no place, and of a million nobody counts.)
const CaseResult* telling_case(const TaskResult& task);

/// What was judged where; everything in it is recorded in result.json.
struct Environment {
    std::string backend, device, compiler, kit_version, machine;
    std::string unused_gpu;      ///< why no GPU was used; empty if one was
    std::vector<std::string> sandbox = {};   ///< the parts in force: "landlock 7", "seccomp", "limits"
};

struct Result {
    int number = 0;
    std::string exercise, title;
    Verdict verdict = Verdict::passed;
    std::string message;             ///< compile error, environment fault, ...: what holds for the whole exercise
    std::vector<std::string> warnings;  ///< the compiler's, of the student's files: place, words, line and caret
    std::string printed;             ///< what the student's code printed, sanitised and capped
    std::vector<TaskResult> tasks;
    Environment environment;
    std::uint64_t seed = 0;          ///< of the inputs; with it (and the same code) a run can be repeated
    double seconds = 0;
    [[nodiscard]] int points() const;
    [[nodiscard]] int max_points() const;
    [[nodiscard]] int stars() const;      ///< bonus tasks that are passed
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

/// The verdict on a case whose call ended so.
Verdict verdict_of(Outcome outcome) noexcept;

/// True if further cases would only say the same again, or if the runner is gone; after an exception the next case is
/// still tried.
bool ends_task(Outcome outcome) noexcept;

/// What to say if the session has no words of its own.
std::string_view default_message(Outcome outcome) noexcept;

}  // namespace course
