// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "exports/exports.hpp"
#include "support/plain_text.hpp"

namespace course {

namespace {

constexpr std::size_t max_message_bytes = 300;  // the whole is on the student's page

}  // namespace

std::string short_feedback(const ClassGrades& grades, const StudentGrade& student, std::optional<int> exercise) {
    std::string text;
    for (std::size_t k = 0; k < student.exercises.size(); ++k) {
        const CountedExercise& one = grades.exercises[k];
        const ExerciseGrade& grade = student.exercises[k];
        if (exercise && one.number != *exercise) continue;
        if (!text.empty()) text += "\n";
        text += fmt::format("Exercise {}: ", one.number);
        if (grade.standing == Standing::nothing_handed_in) {
            text +=
                grade.unusable.empty() ? "nothing handed in" : "what was handed in can't be used: " + grade.unusable;
            continue;
        }
        if (grade.standing == Standing::not_graded) {
            text += "not graded yet";
            continue;
        }
        text += fmt::format("{} of {} points", points_text(grade.points), points_text(grade.max_points));
        const StoredExercise& result = *grade.counting()->result->result;
        std::string tasks = grade.counting()->result->not_taken.empty() ? "" : not_taken_status;
        for (const StoredTask& task : result.tasks) {
            if (task.status == not_taken_status) continue;
            if (!task.star && task.status != "passed" && task.status != "noisy") {
                const StoredHidden* hidden = grade.counting()->result->hidden_of(task);
                const bool by_hidden = hidden && (hidden->shown_status == "passed" || hidden->shown_status == "noisy");
                tasks += fmt::format("{}{}: {}", tasks.empty() ? "" : ", ", task.id,
                                     by_hidden ? "not right in all hidden cases" : task.status);
            }
        }
        if (!tasks.empty()) text += " (" + tasks + ")";
        if (!result.message.empty() && grade.counting()->result->not_taken.empty())
            text += ": " + plain_text(result.message.substr(0, result.message.find('\n')), max_message_bytes, 1);
        if (grade.counting()->after_last_acceptance)
            text += ", after the last acceptance";
        else if (grade.counting()->late < 1)
            text += fmt::format(", late: {:.4g} % count", 100 * grade.counting()->late);
    }
    return text;
}

}  // namespace course
