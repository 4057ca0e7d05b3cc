// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "class_report/answer_code.hpp"
#include "class_report/attempts_line.hpp"
#include "grades/class_grades.hpp"
#include "manifest/misconceptions.hpp"

namespace course {

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
