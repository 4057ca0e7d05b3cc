// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A time on a clock on the wall.
struct LocalTime {
    int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
    friend bool operator==(const LocalTime&, const LocalTime&) = default;
};

/// A zone of the machine's time zone database, by its name: "Europe/Berlin".
class TimeZone {
public:
    /// @throws std::invalid_argument if the machine doesn't know it.
    explicit TimeZone(std::string name);
    TimeZone() : name_("UTC") {}

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Nothing if no clock of the zone ever shows it: an hour that is left out in spring, the 31st of June. Of the two
    /// that an autumn's hour can mean the later one, in favour of the student.
    [[nodiscard]] std::optional<std::chrono::sys_seconds> to_utc(const LocalTime& local) const;
    [[nodiscard]] LocalTime to_local(std::chrono::sys_seconds time) const;
    /// "2026-12-01 23:59 Europe/Berlin"; seconds only if there are any.
    [[nodiscard]] std::string text(std::chrono::sys_seconds time) const;

private:
    std::string name_;
};

/// "2026-12-01T22:59:00Z".
std::string utc_text(std::chrono::sys_seconds time);

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

/// What holds for one student alone.
struct Extension {
    std::string student;         ///< an id or an email address, as it was written
    std::string place;           ///< "class.toml:12:6", "extensions.csv:3"
    std::vector<int> exercises;  ///< whose deadline it moves; empty: that of all
    std::optional<std::chrono::sys_seconds> deadline, last_acceptance;
    std::vector<int> exempt;  ///< exercises that don't count for this student
};

/// What holds for one exercise; what is missing holds as for all.
struct ExercisePolicy {
    int number = 0;
    std::optional<double> points;  ///< that a full answer earns; else the exercise's own
    std::optional<BestOf> best_of;
    std::optional<double> hidden_share;
    std::optional<std::chrono::sys_seconds> deadline, last_acceptance;
    bool is_exempt = false;     ///< it doesn't count for this student
    std::string extended = {};  ///< "until 2026-12-05 23:59 Europe/Berlin: extended"; empty: as for all
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
    std::optional<int> leaderboard;                    ///< the exercise; none: there is none
    std::multimap<std::string, Extension> extensions;  ///< by the student's id, once they are bound to a class
    std::vector<std::string> warnings;                 ///< extensions that change nothing, a line each

    /// All that holds for one exercise, its points excepted.
    [[nodiscard]] ExercisePolicy of(int number) const;
    /// The same with the student's extensions. They never take anything away: of two deadlines the later one counts.
    [[nodiscard]] ExercisePolicy of(int number, const std::string& student) const;
};

/// Reads class.toml. @throws ManifestError with file, line and what was expected.
ClassPolicy read_policy(const std::filesystem::path& path, const std::string& shown);

/// 1 up to the deadline and in the grace minutes, then less by the rule. Pure.
double late_factor(const LateRule& rule, std::chrono::sys_seconds deadline, std::chrono::sys_seconds handed_in);

}  // namespace course
