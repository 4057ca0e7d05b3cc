// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "classroom/grades/class_commands.hpp"
#include "classroom/grades/class_grades.hpp"
#include "support/text.hpp"

namespace course {

/// A file for another system, with notes for its reader.
struct Export {
    std::string text;
    std::vector<WarningOn> notes;  ///< students left out, cells left empty
};

/// One submission, with its students' grade for it alone.
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
/// The input of GitHub Classroom's reporter, before base64 encoding.
std::string github_results(const ExportedSubmission& submission);
/// The same as workflow commands: a notice with the points, and an error for each task that isn't right.
std::string github_lines(const ExportedSubmission& submission);

/// The exercises to export, as indexes of `grades`. @throws UsageError if the requested one doesn't count, or if none
/// does.
std::vector<std::size_t> exported_exercises(const ClassGrades& grades, std::optional<int> exercise);

// Formats for the class. `exercise`: only this one.

/// JUnit's XML: a suite per student and exercise, with a test case per task. Includes everybody.
Export junit_xml(const ClassGrades& grades, std::optional<int> exercise);
/// Moodle's gradebook import: ID, email, a column per exercise and their sum, feedback.
Export moodle_gradebook(const ClassGrades& grades, const ClassPolicy& policy, std::optional<int> exercise);
/// Moodle's offline grading worksheet with the columns Grade and Feedback comments filled in; all other bytes stay.
/// Points are scaled to each row's maximum grade.
/// @throws std::runtime_error if it isn't such a worksheet, or has a row without a maximum above 0.
Export moodle_worksheet(const ClassGrades& grades, std::optional<int> exercise, std::string_view worksheet);
/// Canvas' gradebook import. `total`: one column of this name, with the sum or with the points of `exercise`, in place
/// of one for each exercise.
Export canvas_gradebook(const ClassGrades& grades, std::optional<int> exercise, const std::string& total);
/// The table that `nbgrader export` writes.
Export nbgrader_table(const ClassGrades& grades, std::optional<int> exercise);

class StudentPages;

/// The grades reduced to this exercise of ClassGrades::exercises. Pure.
ClassGrades only_exercise(ClassGrades grades, std::size_t index);
/// A zip file with each student's page, named as the LMS named the submission, so that it can be uploaded there:
/// "moodle-feedback" has one folder per student, "canvas-feedback" one file. A student without such a name is left out,
/// with a note. @throws UsageError if nobody has one.
Export lms_feedback(const ClassIntake& intake, const ClassGrades& all, const ClassPolicy& policy,
                    const StudentPages& pages, const std::string& format, std::optional<int> exercise);

/// "Exercise 8: 2 of 4 points (add: crashed)", one line per exercise, and the first line of a compile error. Contains
/// names and text from students: escape them. Pure.
std::string short_feedback(const ClassGrades& grades, const StudentGrade& student, std::optional<int> exercise);

/// Returns 0, or 1 if a result's file could not be read: it is missing in what was written.
AddCommand add_export;

}  // namespace course
