// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "judge/drawn_anew.hpp"
#include "manifest/manifest.hpp"
#include "run/caller.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// The time that all calls of an answer in check mode have together, from the first one on.
class CheckTime {
public:
    CheckTime(double seconds, double seconds_for_hung) : seconds_(seconds), hung_(seconds_for_hung) {}

    [[nodiscard]] double seconds() const noexcept { return seconds_; }
    [[nodiscard]] double left() {
        if (!start_) start_ = Clock::now();
        return seconds_ - std::chrono::duration<double>(Clock::now() - *start_).count();
    }
    [[nodiscard]] bool is_over() { return !(left() > 0); }

    /// What is left of the time to search calls that hung for the cause: one budget for all tasks, so that an answer
    /// that hangs everywhere is judged soon.
    [[nodiscard]] double left_for_hung() const noexcept { return hung_; }
    void spend_on_hung(double seconds) noexcept { hung_ -= seconds; }

private:
    using Clock = std::chrono::steady_clock;
    double seconds_, hung_;
    std::optional<Clock::time_point> start_;
};

/// The second run of a task's verdict: calls some of its small cases again, in check mode, on the host backend wherever
/// the first run was.
///
/// A task whose values are right: mistakes that check mode finds make it `wrong`, or `crashed` where a kernel left its
/// arrays or couldn't go on; a required kernel that didn't run as it must, `not as asked`; exceeded budgets, `over
/// budget`. A task that failed: its smallest failed cases are called until check mode finds the cause; one that a GPU
/// let run on has crashed here too. What check mode says never makes a verdict better, and what it can't finish hasn't
/// passed: that is `timed out` or `out of memory`. Points are set to what the verdict earns.
///
/// @param replays where budgets or required kernels decide, a replay counts (run/caller.hpp): what can't be done again
///        is `review`, unless the task expects that (Task::not_replayed), and so is what then doesn't give the answer
void judge_in_check_mode(const Task& task, std::span<const KeptCase> kept, Caller& caller, CheckTime& time,
                         bool replays, TaskResult& result);

}  // namespace course
