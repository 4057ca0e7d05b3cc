// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "exports/exports.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::size_t max_message_bytes = 300;  // the whole is on the student's page

/// The tasks that aren't right, with their verdicts: "add: crashed, add_rows: wrong".
std::string tasks_not_right(const StoredResult& stored) {
    std::string tasks = stored.not_taken.empty() ? "" : not_taken_status;
    for (const StoredTask& task : stored.result->tasks) {
        if (task.status == not_taken_status || task.star || task.status == "passed" || task.status == "noisy") continue;
        const StoredHidden* hidden = stored.hidden_of(task);
        const bool by_hidden = hidden && (hidden->shown_status == "passed" || hidden->shown_status == "noisy");
        tasks += fmt::format("{}{}: {}", tasks.empty() ? "" : ", ", task.id,
                             by_hidden ? "passed; hidden cases count, too" : task.status);
    }
    return tasks;
}

/// What the grader says: points, tasks, the first line of a compile error, lateness.
std::string of_grader(const ExerciseGrade& grade) {
    const GradedAttempt& counting = *grade.counting();
    std::string text = fmt::format("{} of {} points", points_text(grade.points), points_text(grade.max_points));
    if (const std::string tasks = tasks_not_right(*counting.result); !tasks.empty()) text += " (" + tasks + ")";
    const std::string& message = counting.result->result->message;
    if (!message.empty() && counting.result->not_taken.empty())
        text += ": " + plain_text(message.substr(0, message.find('\n')), max_message_bytes, 1);
    const std::string late_by = counting.late_by.empty() ? "" : " (" + counting.late_by + ")";
    if (counting.after_last_acceptance)
        text += ", after the last acceptance" + late_by;
    else if (counting.late < 1)
        text += fmt::format(", late{}: {:.4g} % count", late_by, 100 * counting.late);
    return text;
}

/// A line of one exercise, and a line for each mark of its tasks.
std::string of_exercise(const ExerciseGrade& grade) {
    if (grade.standing == Standing::exempt) return "exempt";
    const GivenMark* const whole = grade.whole_mark();
    std::string text;
    if (whole && grade.standing == Standing::graded) {
        const std::string tasks = tasks_not_right(*grade.counting()->result);
        text = whole->points_text();  // it ends with what the grader says, in brackets
        if (!tasks.empty()) text.insert(text.size() - 1, "; " + tasks);
    } else if (whole) {
        text = whole->points_text();
    } else if (grade.standing == Standing::nothing_handed_in) {
        text = grade.unusable.empty() ? "nothing handed in" : "what was handed in can't be used: " + grade.unusable;
    } else if (grade.standing == Standing::not_graded) {
        text = "not graded yet";
    } else {
        text = of_grader(grade);
    }
    const GradedAttempt* const counting = grade.counting();
    const bool has_hidden = counting && counting->result && !counting->result->hidden.empty();
    for (const GivenMark& mark : grade.marks) {
        if (mark.is_whole() && !mark.mark->comment.empty())
            text += (whole ? ": " : "; ") + mark.mark->comment;
        else if (!mark.is_whole())
            text += "; " + mark.text(!has_hidden);
    }
    return text;
}

}  // namespace

std::string short_feedback(const ClassGrades& grades, const StudentGrade& student, std::optional<int> exercise) {
    std::string text;
    for (std::size_t k = 0; k < student.exercises.size(); ++k) {
        const CountedExercise& one = grades.exercises[k];
        const ExerciseGrade& grade = student.exercises[k];
        if (exercise && one.number != *exercise) continue;
        if (!text.empty()) text += "\n";
        text += fmt::format("Exercise {}: ", one.number) + of_exercise(grade);
    }
    return text;
}

}  // namespace course
