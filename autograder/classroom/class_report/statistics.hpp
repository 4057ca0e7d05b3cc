// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "classroom/grades/class_grades.hpp"

namespace course {

/// Verdicts grouped for a chart.
enum class Group { passed, right, wrong, crashed, does_not_compile, nothing, not_graded };
inline constexpr std::size_t group_count = 7;
inline constexpr std::array<std::string_view, group_count> group_names = {
    "passed", "right, but not enough", "wrong", "crashed or hung", "does not compile", "nothing", "not graded"};

Group group_of(const ExerciseGrade& grade);

/// Something that several students have in common, with one example.
struct Shared {
    int students = 0;
    const StudentGrade* example = nullptr;
    std::string text;  ///< what was observed in the example
    const StoredFinding* finding = nullptr;  ///< if check mode found it
    const GradedAttempt* attempt = nullptr;  ///< of the example
};

/// The five-number summary of a list: minimum, quartiles, maximum.
using Quartiles = std::array<double, 5>;
Quartiles quartiles(std::vector<double> values);

/// The statistics of one exercise.
struct ExerciseStatistics {
    std::array<int, group_count> groups{};
    int graded = 0;                          ///< students with a verdict
    double mean = 0;                         ///< their mean points
    std::map<std::string, Shared> tasks;     ///< tasks that aren't right: "add: crashed"
    std::map<std::string, Shared> findings;  ///< by kind: "out of bounds"
    std::map<int, Shared> tags;              ///< by the misconception's number
    std::vector<double> speed_ups;           ///< each student's best
};

/// A measured call: bytes moved, and speed.
struct SpeedPoint {
    int exercise = 0;
    double bytes = 0, bytes_per_second = 0;
};

/// A day and its number of submissions.
struct Day {
    std::string date;
    int submissions = 0;
    bool has_deadline = false;
};

/// The numbers of the class's page.
struct ClassStatistics {
    std::vector<ExerciseStatistics> exercises;        ///< in the order of ClassGrades::exercises
    std::vector<std::pair<std::string, int>> points;  ///< of the whole course, in steps: "10 to 12" -> students
    Quartiles points_quartiles{};
    double points_mean = 0;
    int complete = 0, incomplete = 0;  ///< students with everything graded, and the others
    std::vector<SpeedPoint> speeds;
    std::map<std::string, double>
        bandwidths;  ///< a device's copy bandwidth, bytes per second, as the grader measured it
    std::vector<Day> days;
    std::map<std::string, int> environments;  ///< kit, compiler, device and sandbox -> results
};

/// Computes the statistics. Pure.
ClassStatistics count_class(const ClassResults& read, const ClassGrades& grades, const ClassPolicy& policy);

/// The script of the class's page: the parts of d3 that its charts need, and the code that draws charts from the page's
/// tables. Without d3 (Debian's node-d3-scale, node-d3-axis, node-d3-selection) it is empty, and the page only has the
/// tables.
/// @param library where Debian has its packages for JavaScript
std::string charts_script(const std::filesystem::path& library = "/usr/share/nodejs");

}  // namespace course
