// SPDX-License-Identifier: MIT
#include "classroom/class_report/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include <embedded/class_report.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "support/files.hpp"

namespace course {

namespace {

Group group_of_status(const std::string& status) {
    if (status == "passed" || status == "noisy") return Group::passed;
    if (status == "not as asked" || status == "over budget" || status == "too slow" || status == "review")
        return Group::right;
    if (status == "wrong") return Group::wrong;
    if (status == "does not compile") return Group::does_not_compile;
    if (status == "not started" || status == "environment") return Group::nothing;
    return Group::crashed;
}

/// A round step size that divides 0 to the most points into ten to twenty steps.
double step_for(double max_points) {
    for (double unit = 0.01;; unit *= 10)
        for (const double step : {unit, 2 * unit, 5 * unit})
            if (max_points / step <= 20) return step;
}

void count_points(const ClassGrades& grades, ClassStatistics& counted) {
    std::vector<double> points;
    for (const StudentGrade& student : grades.students) {
        if (student.is_exempt_of_all()) continue;
        const bool is_scaled = std::abs(student.max_points - grades.max_points) > 1e-9;  // exempt from an exercise
        if (student.complete)
            points.push_back(is_scaled ? student.points_of(grades.max_points) : student.points);
        else
            ++counted.incomplete;
    }
    counted.complete = static_cast<int>(points.size());
    const double max_points =
        std::max({grades.max_points, points.empty() ? 0 : *std::max_element(points.begin(), points.end()), 1e-9});
    const double step = step_for(max_points);
    const auto steps = static_cast<std::size_t>(std::floor(max_points / step + 1e-9)) + 1;
    std::vector<int> bins(steps);
    for (const double one : points) ++bins[std::min(static_cast<std::size_t>(one / step + 1e-9), steps - 1)];
    for (std::size_t k = 0; k < steps; ++k) {
        const double from = static_cast<double>(k) * step;
        counted.points.emplace_back(points_text(from), bins[k]);
    }
    for (const double one : points) counted.points_mean += one / static_cast<double>(points.size());
    counted.points_quartiles = quartiles(std::move(points));
}

template <class Key>
void share(std::map<Key, Shared>& map, const Key& key, std::set<Key>& seen, const StudentGrade& student,
           const std::string& text, const GradedAttempt* attempt = nullptr, const StoredFinding* finding = nullptr) {
    if (!seen.insert(key).second) return;  // once per student
    Shared& shared = map[key];
    ++shared.students;
    if (!shared.example) {
        shared.example = &student;
        shared.text = text;
        shared.attempt = attempt;
        shared.finding = finding;
    }
}

/// What is wrong with a task, in one line: check mode's finding, otherwise the budget or the case.
std::string seen_of(const StoredTask& task, const StoredExercise& result) {
    if (!task.found.empty()) return task.found[0].what;
    std::string text = task.budget_text;
    for (const auto& [between, part] : {std::pair(", ", &task.case_name), std::pair(": ", &task.case_text)})
        if (!part->empty()) text += (text.empty() ? "" : between) + *part;
    return text.empty() ? result.message_of(task) : text;
}

void count_result(const StudentGrade& student, const GradedAttempt& attempt, ExerciseStatistics& counted,
                  ClassStatistics& all) {
    const StoredExercise& result = *attempt.result->result;
    std::set<std::string> kinds, verdicts;
    std::set<int> tags;
    double best = 0;
    for (const StoredTask& task : result.tasks) {
        const bool right = task.status == "passed" || task.status == "noisy";
        const std::string seen = seen_of(task, result);
        if (!right && !task.star) share(counted.tasks, task.id + ": " + task.status, verdicts, student, seen);
        for (const StoredFinding& found : task.found)
            share(counted.findings, found.kind, kinds, student, found.what, &attempt, &found);
        for (const int tag : task.tags)
            share(counted.tags, tag, tags, student,
                  task.found.empty() ? task.id + (seen.empty() ? "" : ", " + seen) : seen);
        if (!task.speed || task.speed->pairs == 0) continue;
        if (right) best = std::max(best, task.speed->speedup);
        if (task.speed->bytes > 0 && task.speed->seconds > 0) {
            const double rate = task.speed->bytes / task.speed->seconds;
            all.speeds.push_back({result.number, task.speed->bytes, rate});
            if (task.speed->copy_percent > 0) {
                // Each result has the bandwidth that was measured with it: the device's is the maximum.
                double& bandwidth = all.bandwidths[result.device];
                bandwidth = std::max(bandwidth, task.speed->implausible ? 0 : rate / (task.speed->copy_percent / 100));
            }
        }
    }
    if (best > 0) counted.speed_ups.push_back(best);
}

void count_days(const ClassResults& read, const ClassPolicy& policy, ClassStatistics& counted) {
    std::map<std::string, int> days;
    const auto date = [&](std::chrono::sys_seconds time) { return policy.time_zone.text(time).substr(0, 10); };
    std::chrono::sys_seconds first = std::chrono::sys_seconds::max(), last = std::chrono::sys_seconds::min();
    for (const ClassSubmission& one : read.intake.submissions) {
        if (!one.time) continue;
        first = std::min(first, *one.time);
        last = std::max(last, *one.time);
        ++days[date(*one.time)];
    }
    if (days.empty()) return;
    const std::string deadline = policy.deadline ? date(*policy.deadline) : "";
    constexpr int max_days = 120;  // older ones share one bar
    const auto from = std::max(first, last - std::chrono::hours(24 * max_days));
    int before = 0;
    for (const auto& [day, count] : days)
        if (day < date(from)) before += count;
    if (before > 0) counted.days.push_back({"before " + date(from), before, false});
    std::set<std::string> done;
    for (auto time = from; done.size() < max_days + 2; time += std::chrono::hours(6)) {
        const std::string day = date(std::min(time, last));
        if (done.insert(day).second) {
            const auto at = days.find(day);
            counted.days.push_back({day, at == days.end() ? 0 : at->second, day == deadline});
        }
        if (time >= last) break;
    }
}

}  // namespace

Group group_of(const ExerciseGrade& grade) {
    if (grade.standing == Standing::not_graded) return Group::not_graded;
    if (grade.standing == Standing::nothing_handed_in) return Group::nothing;
    const StoredResult& result = *grade.counting()->result;
    return result.not_taken.empty() ? group_of_status(result.result->status) : Group::nothing;
}

Quartiles quartiles(std::vector<double> values) {
    Quartiles found{};
    if (values.empty()) return found;
    std::sort(values.begin(), values.end());
    for (std::size_t k = 0; k < found.size(); ++k) {
        const double at = static_cast<double>(k) / 4 * static_cast<double>(values.size() - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, values.size() - 1);
        found[k] = values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
    }
    return found;
}

ClassStatistics count_class(const ClassResults& read, const ClassGrades& grades, const ClassPolicy& policy) {
    ClassStatistics counted;
    counted.exercises.resize(grades.exercises.size());
    count_points(grades, counted);
    for (const StudentGrade& student : grades.students)
        for (std::size_t k = 0; k < student.exercises.size(); ++k) {
            const ExerciseGrade& grade = student.exercises[k];
            if (grade.standing == Standing::exempt) continue;
            ExerciseStatistics& one = counted.exercises[k];
            ++one.groups[static_cast<std::size_t>(group_of(grade))];
            if (grade.standing != Standing::graded) continue;
            ++one.graded;
            one.mean += grade.points;
            count_result(student, *grade.counting(), one, counted);
        }
    for (ExerciseStatistics& one : counted.exercises)
        if (one.graded > 0) one.mean /= one.graded;
    count_days(read, policy, counted);
    for (const auto& [id, stored] : read.results) {
        if (!stored.result || !stored.not_taken.empty()) continue;  // nothing in it has run
        const StoredExercise& result = *stored.result;
        if (result.backend.empty() && result.compiler.empty() && result.device.empty() && result.sandbox.empty()) {
            ++counted.environments[fmt::format("kit {}; {}: nothing ran", result.kit_version, result.status)];
            continue;
        }
        ++counted.environments[fmt::format(
            "kit {}; {}; {}; sandbox: {}", result.kit_version,
            result.compiler.empty() ? "compiler not known" : result.compiler,
            result.device.empty() ? "device not known" : result.device,
            result.sandbox.empty() ? "none" : fmt::format("{}", fmt::join(result.sandbox, ", ")))];
    }
    return counted;
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

/// In order of their dependencies; newer releases of d3 have no d3-collection.
constexpr std::string_view parts[] = {"array", "collection",  "color", "format",    "interpolate",
                                      "time",  "time-format", "scale", "selection", "axis"};

constexpr std::size_t max_bytes = std::size_t{1} << 20;

}  // namespace

std::string charts_script(const fs::path& library) {
    std::string script;
    for (const std::string_view part : parts) {
        const std::string name = "d3-" + std::string(part);
        const fs::path file = library / name / "dist" / (name + ".min.js");
        if (!fs::is_regular_file(file)) {
            if (part == "collection") continue;
            script.clear();
            break;
        }
        script += read_file(file, max_bytes) + "\n";
    }
    // A script must not contain what looks like its end.
    if (script.find("</script") != script.npos || script.find("<!--") != script.npos) script.clear();
    return script + text::charts;
}

}  // namespace course
