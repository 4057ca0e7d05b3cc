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
    bool is_meant = false;  ///< the one that a finding is about
};
using CodeExcerpt = std::vector<CodeLine>;

/// The line and three before and behind it; empty if there is no such line. Pure.
CodeExcerpt code_excerpt(std::string_view source, int line);

/// The files of answers, as they were judged: RESULTS/submissions.
class AnswerCode {
public:
    explicit AnswerCode(std::filesystem::path results) : results_(std::move(results)) {}

    /// Around the finding's line. Empty if the file isn't one of the answer's, or has changed since it was judged.
    [[nodiscard]] CodeExcerpt around(const GradedAttempt& attempt, const StoredFinding& finding) const;

private:
    std::filesystem::path results_;
};

/// The same as a block of HTML, escaped, and as plain text with ">" before the line that is meant; empty for none.
std::string code_html(const CodeExcerpt& excerpt);
std::string code_text(const CodeExcerpt& excerpt);

/// One attempt at one exercise, of which the LMS says when it was handed in.
struct TimedAttempt {
    std::chrono::sys_seconds time;
    std::string when;  ///< in the class's time zone
    int exercise = 0, attempt = 0;
    std::string points;  ///< "3 of 4"; "not graded"
    bool counts = false;
};

/// A deadline, as far as it is known.
struct TimedDeadline {
    std::chrono::sys_seconds time;
    std::string when;
};

/// A student's attempts over time: a drawing that needs no script, and its table. Empty if all came at one time. Pure.
std::string attempts_line(std::vector<TimedAttempt> attempts, const std::optional<TimedDeadline>& deadline);

/// Something that is said of a task, and the lines of code that it is about.
struct TaskText {
    std::string text;  ///< of the student's code in part, to be escaped
    CodeExcerpt code = {};
    TaskText(std::string what, CodeExcerpt lines = {}) : text(std::move(what)), code(std::move(lines)) {}
};

/// A task as its student may see it.
struct TaskView {
    std::string id, title, status, points;  ///< "2 of 2"
    std::vector<TaskText> texts;            ///< why it isn't right
    std::vector<const Misconception*> misconceptions;
    std::string speed;  ///< "12.5x, 70 % of a copy's bandwidth"; empty: not measured, or not to be seen
};

/// An exercise as its student may see it.
struct ExerciseView {
    int number = 0;
    std::string title, status, points;  ///< "4 of 4"; "not graded"
    std::vector<std::string> notes;
    std::string message;  ///< of the whole exercise, such as a compile error: of the student's code in part
    std::vector<TaskView> tasks;
    std::vector<std::string> attempts;  ///< "attempt 1, 2026-12-01 13:00 Europe/Berlin: 4 points, counts"
};

/// All that a student may see: what the page and the Markdown say, without any of another student's.
struct StudentPageView {
    std::string name, id, points;  ///< "12 of 15 points so far; some answers haven't been graded yet"
    std::vector<ExerciseView> exercises;
    std::vector<std::string> problems;  ///< of what was handed in
    std::string pseudonym;              ///< on the leaderboard; empty: not there
    std::string extended = {};          ///< the deadline of all exercises; empty: as for all, or told with each
    std::vector<TimedAttempt> timed = {};  ///< at all exercises, as far as the LMS says when
    std::optional<TimedDeadline> deadline = {};
};

/// What students see, and when.
struct ViewOptions {
    const ClassPolicy* policy = nullptr;
    const std::vector<Misconception>* misconceptions = nullptr;
    std::chrono::sys_seconds now{};  ///< hidden results are shown from a date on
    std::string pseudonym;
    const AnswerCode* code = nullptr;  ///< for the lines that findings are about; nullptr: without
};

/// "until 2026-12-05 23:59 Europe/Berlin: extended" if that holds for all exercises that count for the student;
/// else "". Pure.
std::string extended_in_all(const StudentGrade& student);

StudentPageView view_student(const ClassGrades& grades, const StudentGrade& student, const ViewOptions& options);

/// The page, and the text to hand back. Both escape what comes of the student.
std::string student_page(const StudentPageView& view, const std::string& course_title);
std::string feedback_markdown(const StudentPageView& view, const std::string& course_title);

}  // namespace course
