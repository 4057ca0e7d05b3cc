// SPDX-License-Identifier: MIT
#include "classroom/exports/csv.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "classroom/exports/exports.hpp"
#include "kit/kit.hpp"
#include "support/text.hpp"

namespace course {

std::string harmless(std::string_view text) {
    const bool formula = !text.empty() && std::string_view("=+-@\t\r\n").find(text[0]) != std::string_view::npos;
    return (formula ? "'" : "") + std::string(text);
}

std::string csv_cell(std::string_view text) {
    const std::string safe = harmless(text);
    if (safe.find_first_of(",\"\r\n;\t") == safe.npos && safe.find_first_not_of(' ') == 0 && safe.back() != ' ')
        return safe;
    if (safe.empty()) return safe;
    std::string quoted = "\"";
    for (const char c : safe) {
        if (c == '\0') continue;
        quoted += c;
        if (c == '"') quoted += '"';
    }
    return quoted + '"';
}

std::string csv_row(const std::vector<std::string>& cells) {
    std::string row;
    for (const std::string& cell : cells) row += (&cell == &cells.front() ? "" : ",") + csv_cell(cell);
    return row + "\n";
}

namespace {

/// The students of the roster: an importer refuses a file with a student that it doesn't know.
std::vector<const StudentGrade*> rostered(const ClassGrades& grades, std::vector<WarningOn>& notes) {
    std::vector<const StudentGrade*> students;
    for (const StudentGrade& one : grades.students) {
        if (one.rostered)
            students.push_back(&one);
        else
            notes.push_back({one.student.id, "isn't on the roster, and is left out", " "});
    }
    if (students.empty())
        throw UsageError(
            "there is no roster, so nobody knows whose IDs these are; give course grade one with --roster");
    return students;
}

/// Empty for what isn't graded or doesn't count: no importer takes that for a zero. At most the column's maximum.
std::string points_cell(const ExerciseGrade& grade) {
    if (!grade.has_points()) return "";
    return points_text(std::min(grade.points, grade.max_points));
}

std::string sum_cell(const StudentGrade& student, const ClassGrades& grades) {
    return student.complete && !student.is_exempt_of_all() ? points_text(student.points_of(grades.max_points)) : "";
}

bool is_scaled(const StudentGrade& student, const ClassGrades& grades) {
    return std::abs(student.max_points - grades.max_points) > 1e-9;
}

/// A column of sums has one maximum for everybody, so the sum of a student who is exempt from something is scaled.
void note_scaled(const StudentGrade& student, const ClassGrades& grades, std::vector<WarningOn>& notes) {
    if (!student.complete || !is_scaled(student, grades)) return;
    notes.push_back(
        {student.student.id,
         student.is_exempt_of_all()
             ? "exempt from all; the cell of the sum is empty"
             : fmt::format("exempt from something: {} of {} points are {} of {} in the sum",
                           points_text(student.points), points_text(student.max_points),
                           points_text(student.points_of(grades.max_points)), points_text(grades.max_points))});
}

void note_ungraded(const StudentGrade& student, std::vector<WarningOn>& notes) {
    if (!student.complete) notes.push_back({student.student.id, "not everything is graded; those cells are empty"});
}

}  // namespace

std::vector<std::size_t> exported_exercises(const ClassGrades& grades, std::optional<int> exercise) {
    std::vector<std::size_t> indexes;
    for (std::size_t k = 0; k < grades.exercises.size(); ++k)
        if (!exercise || grades.exercises[k].number == *exercise) indexes.push_back(k);
    if (indexes.empty())
        throw UsageError(exercise ? fmt::format("exercise {} isn't among those that count", *exercise)
                                  : "no exercise counts: nothing was handed in, and class.toml names none");
    return indexes;
}

Export moodle_gradebook(const ClassGrades& grades, const ClassPolicy& policy, std::optional<int> exercise) {
    const std::vector<std::size_t> columns = exported_exercises(grades, exercise);
    Export made;
    std::vector<std::string> head = {"ID number", "Email address"};
    for (const std::size_t k : columns) head.push_back(grades.exercises[k].folder);
    const bool with_sum = columns.size() > 1;
    if (with_sum) head.push_back(policy.title);
    head.push_back((with_sum ? policy.title : grades.exercises[columns[0]].folder) + " feedback");
    made.text = csv_row(head);
    const std::vector<const StudentGrade*> students = rostered(grades, made.notes);
    std::map<std::string, int> with_email;
    for (const StudentGrade* student : students) ++with_email[lower_ascii(student->student.email)];
    bool some_by_email = false;
    for (const StudentGrade* student : students) {
        // A worksheet's "Participant 101" is the assignment's own number, and nobody's in the gradebook.
        const bool is_participant = student->student.id.starts_with("Participant ");
        const std::string& email = student->student.email;
        const bool is_shared = !email.empty() && with_email[lower_ascii(email)] > 1;
        if (is_participant && (is_shared || email.empty())) {
            made.notes.push_back({student->student.id,
                                  fmt::format("has {} and no ID number by which Moodle would find the student, and is "
                                              "left out: correct the roster, or give the points in Moodle",
                                              is_shared ? "another student's email address" : "no email address"),
                                  " "});
            continue;
        }
        if (is_shared)
            made.notes.push_back({student->student.id,
                                  "has another student's email address, which is left out: in Moodle's import, map "
                                  "\"ID number\"",
                                  " "});
        some_by_email = some_by_email || is_participant;
        std::vector<std::string> row = {is_participant ? "" : student->student.id, is_shared ? "" : email};
        for (const std::size_t k : columns) row.push_back(points_cell(student->exercises[k]));
        if (with_sum) row.push_back(sum_cell(*student, grades));
        if (with_sum) note_scaled(*student, grades, made.notes);
        row.push_back(html_lines(short_feedback(grades, *student, exercise)));
        note_ungraded(*student, made.notes);
        made.text += csv_row(row);
    }
    if (some_by_email)
        made.notes.push_back({"", "the roster has no ID numbers: in Moodle's import, map \"Email address\""});
    return made;
}

Export canvas_gradebook(const ClassGrades& grades, std::optional<int> exercise, const std::string& total) {
    const std::vector<std::size_t> all = exported_exercises(grades, exercise);
    const bool with_sum = !total.empty() && !exercise;  // with an exercise, `total` names that one's column
    const std::vector<std::size_t> columns = with_sum ? std::vector<std::size_t>() : all;
    Export made;
    std::vector<std::string> head = {"Student", "ID", "SIS User ID", "SIS Login ID", "Section"};
    std::vector<std::string> possible = {"    Points Possible", "", "", "", ""};
    for (const std::size_t k : columns) {
        head.push_back(total.empty() ? grades.exercises[k].folder : total);
        possible.push_back(points_text(grades.exercises[k].max_points));
    }
    if (with_sum) {
        head.push_back(total);
        possible.push_back(points_text(grades.max_points));
    }
    made.text = csv_row(head) + csv_row(possible);
    for (const StudentGrade* student : rostered(grades, made.notes)) {
        // Canvas looks up the student by its own ID, by SIS User ID, by login, then by name: whether the roster's ID is
        // the second or the third is unknown here.
        const ClassStudent& who = student->student;
        const std::string other_id = who.id == who.canvas ? "" : who.id;
        std::vector<std::string> row = {who.name, who.canvas, other_id, other_id, ""};
        for (const std::size_t k : columns) {
            const ExerciseGrade& grade = student->exercises[k];
            row.push_back(grade.standing == Standing::exempt ? "EX" : points_cell(grade));  // Canvas' own code
        }
        if (with_sum) {
            row.push_back(student->is_exempt_of_all() ? "EX" : sum_cell(*student, grades));
            if (!student->is_exempt_of_all()) note_scaled(*student, grades, made.notes);
        }
        note_ungraded(*student, made.notes);
        made.text += csv_row(row);
    }
    return made;
}

Export nbgrader_table(const ClassGrades& grades, std::optional<int> exercise) {
    const std::vector<std::size_t> columns = exported_exercises(grades, exercise);
    const auto time_text = [](const std::optional<std::chrono::sys_seconds>& time) {
        if (!time) return std::string();
        const std::string text = utc_text(*time);
        return text.substr(0, 10) + " " + text.substr(11, 8);
    };
    Export made;
    made.text = csv_row({"assignment", "duedate", "timestamp", "student_id", "last_name", "first_name", "email",
                         "raw_score", "late_submission_penalty", "score", "max_score"});
    const std::vector<const StudentGrade*> students = rostered(grades, made.notes);
    for (const std::size_t k : columns)
        for (const StudentGrade* student : students) {
            const ExerciseGrade& grade = student->exercises[k];
            const GradedAttempt* counting = grade.counting();
            const std::string& name = student->student.name;
            const std::size_t space = name.rfind(' ');
            const bool graded = grade.has_points();
            const bool by_hand = std::any_of(grade.marks.begin(), grade.marks.end(),
                                             [](const GivenMark& one) { return one.gives_points(); });
            const double graders = counting ? std::min(counting->points.value_or(0), grade.max_points) : 0;
            const double raw = by_hand ? std::min(grade.points, grade.max_points) : graders;
            const double score = std::min(grade.points, raw);
            made.text += csv_row({grades.exercises[k].folder, time_text(grade.deadline),
                                  counting ? time_text(counting->submission->time) : "", student->student.id,
                                  space == name.npos ? name : name.substr(space + 1),
                                  space == name.npos ? "" : name.substr(0, space), student->student.email,
                                  graded ? points_text(raw) : "", graded ? points_text(raw - score) : "",
                                  graded ? points_text(score) : "",
                                  grade.standing == Standing::exempt ? "" : points_text(grade.max_points)});
        }
    for (const StudentGrade* student : students) note_ungraded(*student, made.notes);
    return made;
}

}  // namespace course
