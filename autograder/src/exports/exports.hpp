// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grades/class_grades.hpp"

namespace course {

/// A file for another system, and what its reader should know.
struct Export {
    std::string text;
    std::vector<std::string> notes;  ///< students that are left out, cells that stay empty, a line each
};

/// One submission, as its students' grade of it alone.
struct ExportedSubmission {
    const StudentGrade* student = nullptr;
    const ClassGrades* grades = nullptr;
    const ClassPolicy* policy = nullptr;
};

// Formats for one submission. Each throws UsageError if the grader was at fault, unless the format can say so.

/// Gradescope's results.json.
std::string gradescope_results(const ExportedSubmission& submission);
/// PrairieLearn's results.json, of at most 1 MB.
std::string prairielearn_results(const ExportedSubmission& submission);
/// What GitHub Classroom's reporter reads, before it is written in base64.
std::string github_results(const ExportedSubmission& submission);
/// The same as workflow commands: a notice with the points, an error for each task that isn't right.
std::string github_lines(const ExportedSubmission& submission);

// Formats for the class. `exercise`: this one alone.

/// JUnit's XML: a suite for each student's exercise, a test case for each of its tasks.
Export junit_xml(const ClassGrades& grades, std::optional<int> exercise);
/// Moodle's gradebook import: ID, email, a column for each exercise and their sum, feedback.
Export moodle_gradebook(const ClassGrades& grades, const ClassPolicy& policy, std::optional<int> exercise);
/// Moodle's offline grading worksheet with the columns Grade and Feedback comments filled in; all other bytes stay.
/// @throws std::runtime_error if it isn't such a worksheet.
Export moodle_worksheet(const ClassGrades& grades, std::optional<int> exercise, std::string_view worksheet);
/// Canvas' gradebook import. `total`: one column of this name with the sum, in place of one for each exercise.
Export canvas_gradebook(const ClassGrades& grades, std::optional<int> exercise, const std::string& total);
/// The table that `nbgrader export` writes.
Export nbgrader_table(const ClassGrades& grades, const ClassPolicy& policy, std::optional<int> exercise);

/// "8 raw_add: 2 of 4 points (add crashed)", a line for each exercise; no text of a student's. Pure.
std::string short_feedback(const ClassGrades& grades, const StudentGrade& student, std::optional<int> exercise);

}  // namespace course
