// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "grades/time_zone.hpp"

namespace course {

/// Which of several attempts counts.
enum class BestOf { best, latest };

/// What a late answer loses.
struct LateRule {
    int grace_minutes = 0;   ///< up to so long after the deadline is not late
    double lose = 0;         ///< of the points, for each started period after the deadline
    double each_hours = 24;  ///< a period
    double floor = 0;        ///< what remains at least
    friend bool operator==(const LateRule&, const LateRule&) = default;
};

/// What holds for one exercise; what is missing holds as for all.
struct ExercisePolicy {
    int number = 0;
    std::optional<double> points;  ///< that a full answer earns; else the exercise's own
    std::optional<BestOf> best_of;
    std::optional<double> hidden_share;
    std::optional<std::chrono::sys_seconds> deadline, last_acceptance;
};

/// What students are shown of their results.
struct StudentView {
    std::optional<std::chrono::sys_seconds> hidden_results_from;  ///< none: never
    bool speed_ups = true, findings = true;
};

/// What class.toml says: how results become points.
struct ClassPolicy {
    std::string title = "GPU course";
    TimeZone time_zone;
    std::optional<std::chrono::sys_seconds> deadline, last_acceptance;
    LateRule late;
    std::vector<int> exercises;  ///< that count, in this order; empty: all that were handed in
    BestOf best_of = BestOf::best;
    double points_per_star = 0;    ///< 0: stars don't count
    double hidden_share = 1;       ///< of a task's points, those that it has only if its hidden cases are right too
    bool asks_for_hidden = false;  ///< class.toml names such a share
    std::vector<ExercisePolicy> own;
    StudentView students;
    std::optional<int> leaderboard;  ///< the exercise; none: there is none

    /// All that holds for one exercise, its points excepted.
    [[nodiscard]] ExercisePolicy of(int number) const;
};

/// Reads class.toml. @throws ManifestError with file, line and what was expected.
ClassPolicy read_policy(const std::filesystem::path& path, const std::string& shown);

/// 1 up to the deadline and in the grace minutes, then less by the rule. Pure.
double late_factor(const LateRule& rule, std::chrono::sys_seconds deadline, std::chrono::sys_seconds handed_in);

}  // namespace course
