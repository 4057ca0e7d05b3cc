// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/baselines.hpp"
#include "judge/check_mode.hpp"
#include "judge/plugin.hpp"
#include "judge/reference_clock.hpp"
#include "judge/timing.hpp"
#include "judge/work/changed_lines.hpp"
#include "manifest/manifest.hpp"
#include "run/caller.hpp"
#include "support/parallel.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// A task whose verdict is found, and the small cases that can be called again.
struct JudgedTask {
    const Task& task;
    const TaskResult& result;
    std::span<const KeptCase> kept;
    bool begun = true;   ///< false: what the student writes for it is still the stub's
};

/// Where speed is measured: on the host backend it grades nothing, and is for those who work on the kit.
enum class MeasureSpeed { on_gpu, everywhere, nowhere };

struct JudgeOptions {
    bool on_gpu = false;                     ///< where the values come from: speed is graded only there
    MeasureSpeed measure_speed = MeasureSpeed::on_gpu;
    DeviceLock* device = nullptr;            ///< of the GPU, which is held alone while a time is measured
    Baselines* baselines = nullptr;          ///< of earlier runs; none: they are measured each time
    std::optional<std::uint64_t> seed = {};  ///< to repeat a run; without one the inputs are secret
    bool replays = false;                    ///< of a task whose counts decide, what isn't replayed is `review`
    bool stops_at_failure = false;           ///< the first task that fails is the last that is judged
    bool draws_anew = true;                  ///< some cases come once more, with other values (judge/drawn_anew.hpp)
    double seconds = 300;                    ///< for all tasks together
    double check_seconds = 180;              ///< for all calls in check mode together
    double hung_seconds = 5;                 ///< of these for calls that hung, and may hang again
    double bandwidth = 0;                    ///< of copies on this device, in bytes a second; 0: unknown
    ReferenceClock::TimePoint* steady_until = nullptr;   ///< of the device's clock: see there
    TimingRules timing = {};
    std::vector<std::string> not_begun = {};  ///< starred tasks that aren't judged: their part is still the stub's
    std::vector<std::string> files_as_given = {};  ///< of the answer: those that are the stub's
    std::map<std::string, std::string> kernel_texts = {};   ///< of the answer: its other files of kernels, by name
    std::map<std::string, bool> functions_begun = {};   ///< see tasks_not_begun()
    std::map<std::string, ChangedLines> changes = {};   ///< of each file that a task limits; a missing one has none
    std::function<void(const Task&, const CaseResult&)> progress = {};   ///< called after each case
    /// Called once, when all tasks have their verdicts: with those that the machine could judge.
    std::function<void(std::span<const JudgedTask>)> after_tasks = {};
};

/// Judges an answer: runs the check of each task, compares, counts and times. A task has all of its points or none; the
/// exercise's verdict is the worst of its tasks', those with a star left out. A task that failed and isn't begun is
/// `not started` in the end, which changes nothing in that. Fills all of Result but the environment and what was
/// printed.
///
/// Never throws for what the student did. A check that can't be used gives the verdict `environment`, with its message.
Result judge(const Manifest& manifest, const CheckPlugin& plugin, Caller& caller, const JudgeOptions& options = {});

}  // namespace course
