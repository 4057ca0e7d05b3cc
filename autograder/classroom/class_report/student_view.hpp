// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "classroom/grades/class_grades.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// A line of a student's file.
struct CodeLine {
    int number = 0;
    std::string text;
    bool is_meant = false;  ///< the line of the finding
};
using CodeExcerpt = std::vector<CodeLine>;

/// The line and the three before and after it; empty if there is no such line. Pure.
CodeExcerpt code_excerpt(std::string_view source, int line);

/// The files of answers as judged: RESULTS/submissions.
class AnswerCode {
public:
    explicit AnswerCode(std::filesystem::path results) : results_(std::move(results)) {}

    /// The lines around the finding's. Empty if the file isn't one of the answer's, or has changed since it was judged.
    [[nodiscard]] CodeExcerpt around(const GradedAttempt& attempt, const StoredFinding& finding) const;

private:
    std::filesystem::path results_;
};

/// The same as a block of escaped HTML, and as plain text with ">" before the finding's line; empty for no lines.
std::string code_html(const CodeExcerpt& excerpt);
std::string code_text(const CodeExcerpt& excerpt);

/// An attempt at an exercise, with the LMS's time stamp.
struct TimedAttempt {
    std::chrono::sys_seconds time;
    std::string when;  ///< in the class's time zone
    int exercise = 0, attempt = 0;
    std::string points;  ///< "3 of 4"; "not graded"
    bool counts = false;
};

/// A deadline, as far as known.
struct TimedDeadline {
    std::chrono::sys_seconds time;
    std::string when;
};

/// A student's attempts over time: a drawing without a script, and its table. Empty if all have the same time. Pure.
std::string attempts_line(std::vector<TimedAttempt> attempts, const std::optional<TimedDeadline>& deadline);

/// A text about a task, and the lines of code that it is about.
struct TaskText {
    std::string text;  ///< partly from the student's code: escape it
    CodeExcerpt code = {};
    TaskText(std::string what, CodeExcerpt lines = {}) : text(std::move(what)), code(std::move(lines)) {}
};

/// A task as the student may see it.
struct TaskView {
    std::string id, title, status, points;  ///< "2 of 2"
    std::vector<TaskText> texts;            ///< why it isn't right
    std::vector<const Misconception*> misconceptions;
    std::string speed;  ///< "12.5x, 70 % of a copy's bandwidth"; empty: not measured, or not visible
};

/// An exercise as the student may see it.
struct ExerciseView {
    int number = 0;
    std::string title, status, points;  ///< "4 of 4"; "not graded"
    std::vector<std::string> notes;
    std::string message;  ///< of the whole exercise, such as a compile error: of the student's code in part
    std::vector<TaskView> tasks;
    std::vector<std::string> attempts;  ///< "attempt 1, 2026-12-01 13:00 Europe/Berlin: 4 points, counts"
};

/// Everything that a student may see: the contents of the page and of the Markdown, without data of other students.
struct StudentPageView {
    std::string name, id, points;  ///< "12 of 15 points so far; some answers haven't been graded yet"
    std::vector<ExerciseView> exercises;
    std::vector<std::string> problems;  ///< with the submissions
    std::string pseudonym;              ///< on the leaderboard; empty: not there
    std::string extended = {};          ///< the deadline of all exercises; empty: the class's, or shown per exercise
    std::vector<TimedAttempt> timed = {};  ///< for all exercises, as far as the LMS has times
    std::optional<TimedDeadline> deadline = {};
};

/// What students may see, and when.
struct ViewOptions {
    const ClassPolicy* policy = nullptr;
    const std::vector<Misconception>* misconceptions = nullptr;
    std::chrono::sys_seconds now{};  ///< hidden results become visible at a date
    std::string pseudonym;
    const AnswerCode* code = nullptr;  ///< for the lines of findings; nullptr: without
};

/// "until 2026-12-05 23:59 Europe/Berlin: extended" if that holds for all exercises that count for the student;
/// otherwise "". Pure.
std::string extended_in_all(const StudentGrade& student);

StudentPageView view_student(const ClassGrades& grades, const StudentGrade& student, const ViewOptions& options);

/// The page, and the text to hand back. Both escape what the student wrote.
std::string student_page(const StudentPageView& view, const std::string& course_title);
std::string feedback_markdown(const StudentPageView& view, const std::string& course_title);

}  // namespace course
