// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <course/check_host.hpp>

#include "judge/baselines.hpp"
#include "judge/check_mode.hpp"
#include "judge/plugin.hpp"
#include "judge/timing.hpp"
#include "judge/work/changed_lines.hpp"
#include "manifest/manifest.hpp"
#include "run/caller.hpp"
#include "support/parallel.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// A task with its verdict, and its small cases that can be called again.
struct JudgedTask {
    const Task& task;
    const TaskResult& result;
    std::span<const ReplayableCase> kept;
    bool begun = true;   ///< false: the student's part for it is still the stub's
};

/// Where speed is measured: on the host backend it isn't graded, and is for those who work on the kit.
enum class MeasureSpeed { on_gpu, everywhere, nowhere };

struct JudgeOptions {
    bool on_gpu = false;                     ///< where the values are computed: speed is graded only there
    MeasureSpeed measure_speed = MeasureSpeed::on_gpu;
    DeviceLock* device = nullptr;            ///< of the GPU; held exclusively while a time is measured
    Baselines* baselines = nullptr;          ///< from earlier runs; null: they are measured each time
    std::optional<std::uint64_t> seed = {};  ///< to repeat a run; without one the inputs are secret
    bool replays = false;                    ///< if counts decide a task, what isn't replayed is `review`
    bool stops_at_failure = false;           ///< judge no task after the first that fails
    bool draws_anew = true;                  ///< call some cases again with other values (judge/reseeded_cases.hpp)
    double seconds = 300;                    ///< for all tasks together
    double check_seconds = 180;              ///< for all calls in check mode together
    double hung_seconds = 5;                 ///< the part of these for calls that hung, and may hang again
    double bandwidth = 0;                    ///< of copies on this device, in bytes per second; 0: unknown
    ReferenceClock::TimePoint* steady_until = nullptr;   ///< of the device's clock: see ReferenceClock
    TimingRules timing = {};
    std::vector<std::string> not_begun = {};  ///< starred tasks that aren't judged: their part is still the stub's
    std::vector<std::string> files_as_given = {};  ///< of the answer: those equal to the stub's
    std::map<std::string, std::string> kernel_texts = {};   ///< of the answer: its other files of kernels, by name
    std::map<std::string, bool> functions_begun = {};   ///< see tasks_not_begun()
    std::map<std::string, ChangedLines> changes = {};   ///< of each file that a task limits; a missing one has none
    std::function<void(const Task&, const CaseResult&)> progress = {};   ///< called after each case
    /// Called before the first timed call of each task, with its case and its arguments.
    std::function<void(const Task&, const std::string& case_name, const Function&, std::span<const Value>)>
        before_timing = {};
    /// Called once, when all tasks have their verdicts: with those that the machine could judge.
    std::function<void(std::span<const JudgedTask>)> after_tasks = {};
};

/// Judges an answer: runs each task's check, compares, counts and measures. A task earns all of its points or none; the
/// exercise's verdict is the worst of its unstarred tasks'. A failed task that isn't begun ends up as `not started`,
/// which doesn't change this. Fills in all of Result except the environment and the printed text.
///
/// Never throws for what the student did. An unusable check gives the verdict `environment`, with its message.
Result judge(const Manifest& manifest, const CheckPlugin& plugin, Caller& caller, const JudgeOptions& options = {});

/// A task that isn't begun, and the functions that must be written for it.
struct NotBegun {
    std::size_t task = 0;   ///< its index in the manifest
    std::vector<std::string> functions;
};

/// The tasks with points that failed because they aren't begun: all functions that the student writes only for them are
/// the stub's. A task's functions are those that its check has called, and its kernels. A failure that says something
/// about the stub doesn't count: right values at too high a cost, a mistake that check mode found, or a task about
/// repairing given code. If nothing is begun, the result is empty: the answer differs from the stub elsewhere. Pure.
/// @param functions_begun for each function with a part for the student: whether it differs from the stub's
std::vector<NotBegun> tasks_not_begun(const Manifest& manifest, const std::map<std::string, bool>& functions_begun,
                                      const std::vector<TaskResult>& results);

/// The predictions of one task. One that is asked several times must be right each time: so it has to be an expression
/// that holds for every drawn variant, not a number copied from an earlier verdict.
class Predictions {
public:
    /// How many must be right; all, unless this is called.
    void need(int at_least) { at_least_ = at_least; }

    /// @param predicted NaN: none yet
    void take(const Shown& shown, double predicted, const std::string& case_name);

    /// The result; none if nothing was asked. @throws CheckError if more must be right than there are.
    [[nodiscard]] std::optional<PredictionResult> result() const;

private:
    struct One {
        std::string what;
        std::optional<WrongPrediction> wrong;   // its first wrong occurrence
    };
    std::vector<One> asked_;
    std::optional<int> at_least_;
};

}  // namespace course
