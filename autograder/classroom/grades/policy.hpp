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

/// A local time without its zone.
struct LocalTime {
    int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0;
    friend bool operator==(const LocalTime&, const LocalTime&) = default;
};

/// A zone of the machine's time zone database, by name: "Europe/Berlin".
class TimeZone {
public:
    /// @throws std::invalid_argument if the machine doesn't know the zone.
    explicit TimeZone(std::string name);
    TimeZone() : name_("UTC") {}

    [[nodiscard]] const std::string& name() const noexcept { return name_; }
    /// Nothing if no clock of the zone ever shows it: an hour skipped in spring, the 31st of June. An ambiguous hour in
    /// autumn is the later one, in the student's favour.
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

/// How lateness reduces points.
struct LateRule {
    int grace_minutes = 0;   ///< an answer is not late up to this long after the deadline
    double lose = 0;         ///< fraction of the points, per period begun after the deadline
    double each_hours = 24;  ///< length of a period
    double floor = 0;        ///< the least fraction that remains
    friend bool operator==(const LateRule&, const LateRule&) = default;
};

/// An exception for one student.
struct Extension {
    std::string student;         ///< an id or an email address, as written
    std::string place;           ///< "class.toml:12:6", "extensions.csv:3"
    std::vector<int> exercises;  ///< whose deadline it moves; empty: all
    std::optional<std::chrono::sys_seconds> deadline, last_acceptance;
    std::vector<int> exempt;  ///< exercises that don't count for this student
};

/// The settings for one exercise; missing ones are the class's.
struct ExercisePolicy {
    int number = 0;
    std::optional<double> points;  ///< for a full answer; empty: the exercise's own
    std::optional<BestOf> best_of;
    std::optional<double> hidden_share;
    std::optional<std::chrono::sys_seconds> deadline, last_acceptance;
    bool is_exempt = false;     ///< it doesn't count for this student
    std::string extended = {};  ///< "until 2026-12-05 23:59 Europe/Berlin: extended"; empty: as for everybody
};

/// Which results students see.
struct StudentView {
    std::optional<std::chrono::sys_seconds> hidden_results_from;  ///< empty: never
    bool speed_ups = true, findings = true;
};

/// The contents of class.toml: how results become points.
struct ClassPolicy {
    std::string title = "GPU course";
    TimeZone time_zone;
    std::optional<std::chrono::sys_seconds> deadline, last_acceptance;
    LateRule late;
    std::vector<int> exercises;  ///< that count, in this order; empty: all that were handed in
    BestOf best_of = BestOf::best;
    double points_per_star = 0;    ///< 0: stars don't count
    double hidden_share = 1;       ///< the fraction of a task's points that requires the hidden cases to be right too
    bool asks_for_hidden = false;  ///< class.toml sets that fraction
    std::vector<ExercisePolicy> own;
    StudentView students;
    std::optional<int> leaderboard;                    ///< the exercise; empty: no leaderboard
    std::multimap<std::string, Extension> extensions;  ///< by student id, once they are bound to a class
    std::vector<std::string> warnings;                 ///< extensions that change nothing, one per line

    /// All settings for one exercise, except its points.
    [[nodiscard]] ExercisePolicy of(int number) const;
    /// The same with the student's extensions. They never take anything away: the later of two deadlines counts.
    [[nodiscard]] ExercisePolicy of(int number, const std::string& student) const;
};

/// Reads class.toml. @throws ManifestError with file, line and what was expected.
ClassPolicy read_policy(const std::filesystem::path& path, const std::string& shown);

/// 1 up to the deadline and within the grace minutes, then less according to the rule. Pure.
double late_factor(const LateRule& rule, std::chrono::sys_seconds deadline, std::chrono::sys_seconds handed_in);

}  // namespace course
