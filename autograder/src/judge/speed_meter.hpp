// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "judge/baselines.hpp"
#include "judge/judge.hpp"
#include "judge/timing.hpp"
#include "judge/values/random_inputs.hpp"
#include "run/caller.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// True if speed is measured here, and the task has a line for it.
bool measures_speed(const Task& task, const JudgeOptions& options);

/// Measures how fast a task's timed call is beside its baseline, in rounds of one call each.
class SpeedMeter {
public:
    /// @param reference null: no time is compared with a reference's
    /// @param spent where the seconds are added
    SpeedMeter(const Task& task, const JudgeOptions& options, ReferenceClock* reference, RandomBits& secret,
               Spent& spent)
        : task_(task), options_(options), reference_(reference), secret_(secret), spent_(spent) {}

    /// Rounds, until the speed is known. @param round makes a single call of time(), and returns false if its result is
    /// wrong
    SpeedResult measure(const std::function<bool()>& round);

    [[nodiscard]] bool in_round() const noexcept { return in_round_; }
    /// True if a part of this round's result is compared; in one round, which nobody knows, all of it is.
    [[nodiscard]] bool is_sampled() const noexcept { return round_ != full_round_; }

    /// The timed call of a round, beside its baseline and the reference. @param bytes that it moves
    CallResult time(std::string_view function, double bytes, const std::function<void()>& baseline,
                    const std::function<CallResult()>& make);

private:
    [[nodiscard]] bool is_clear(const TimedPairs& pairs) const;
    void run_baseline(const std::function<void()>& baseline);
    void note_results(const CallResult& reply);
    void time_reference();
    [[nodiscard]] SpeedResult result_of(const TimedPairs& pairs, SpeedDecision decision) const;

    const Task& task_;
    const JudgeOptions& options_;
    ReferenceClock* reference_;
    RandomBits& secret_;
    Spent& spent_;

    bool in_round_ = false, may_keep_ = false;
    int round_ = 0, full_round_ = 0, calls_ = 0;
    std::string call_;                      // "add add 67108864", the key for baselines
    std::optional<double> kept_baseline_;   // from an earlier run, in place of new ones
    double bytes_ = 0;
    TimedPair last_;
    std::optional<ReferenceWork> work_;     // the reference's, once the shape of the results is known
    std::string no_clock_;                  // why no time can be measured at the moment
};

/// The verdict of a measured speed, for a task whose verdict is `passed` so far; and what stands in place of a speed
/// where there is no GPU.
void judge_speed(const Task& task, bool on_gpu, TaskResult& result);

}  // namespace course
