// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <span>

#include "judge/reseeded_cases.hpp"
#include "manifest/manifest.hpp"
#include "run/caller.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// The time for all of an answer's calls in check mode together, from the first one on.
class CheckTime {
public:
    CheckTime(double seconds, double seconds_for_hung) : seconds_(seconds), hung_(seconds_for_hung) {}

    [[nodiscard]] double seconds() const noexcept { return seconds_; }
    [[nodiscard]] double left() {
        if (!start_) start_ = Clock::now();
        return seconds_ - std::chrono::duration<double>(Clock::now() - *start_).count();
    }
    [[nodiscard]] bool is_over() { return !(left() > 0); }

    /// The time left to search calls that hung for the cause: one budget for all tasks, so that an answer that hangs
    /// everywhere is judged soon.
    [[nodiscard]] double left_for_hung() const noexcept { return hung_; }
    void spend_on_hung(double seconds) noexcept { hung_ -= seconds; }

private:
    using Clock = std::chrono::steady_clock;
    double seconds_, hung_;
    std::optional<Clock::time_point> start_;
};

/// The second run of a task's verdict: calls some of its small cases again in check mode, on the host backend wherever
/// the first run was.
///
/// If the values are right: mistakes that check mode finds make the verdict `wrong`, or `crashed` if a kernel left its
/// arrays or couldn't continue; a required kernel that didn't run as demanded makes it `not as asked`; exceeded
/// budgets, `over budget`. If the task failed: its smallest failed cases are called until check mode finds the cause; a
/// case that a GPU let run on may count as crashed here too. Check mode never improves a verdict, and a case that it
/// can't finish hasn't passed: that is `timed out` or `out of memory`. Points are set to what the verdict earns.
///
/// @param replays if budgets or required kernels decide, count a replay (run/caller.hpp): work that can't be replayed
/// is `review`, unless the task expects that (Task::not_replayed), and so is a replay that doesn't give the answer
void judge_in_check_mode(const Task& task, std::span<const ReplayableCase> kept, Caller& caller, CheckTime& time,
                         bool replays, TaskResult& result);

}  // namespace course
