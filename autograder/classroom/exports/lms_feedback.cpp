// SPDX-License-Identifier: MIT
#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "classroom/class_report/student_pages.hpp"
#include "classroom/exports/exports.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// A format's LMS: its name in LmsName, and its usual name.
struct FeedbackLms {
    const char *name, *shown, *own;  // "canvas", "Canvas", "Canvas'"
};

/// The student's own submissions, in order of their attempts.
std::vector<const ClassSubmission*> own_submissions(const ClassIntake& intake, const std::string& student) {
    std::vector<const ClassSubmission*> own;
    for (const ClassSubmission& one : intake.submissions)
        if (one.student == student) own.push_back(&one);
    std::stable_sort(own.begin(), own.end(), [](const auto* a, const auto* b) { return a->attempt < b->attempt; });
    return own;
}

bool has_exercise(const ClassSubmission& submission, int number) {
    const auto is_it = [&](const auto& one) { return one.number == number; };
    return std::any_of(submission.answers.begin(), submission.answers.end(), is_it) ||
           std::any_of(submission.unusable.begin(), submission.unusable.end(), [&](const UnusableAnswer& one) {
               return is_it(one) || one.number == UnusableAnswer::any_exercise;
           });
}

/// The name under which a student's feedback goes back: that of the attempt that counts for the exercise, otherwise the
/// latest. If there is none, a note says why.
const LmsName* name_for(const StudentGrade& student, const ClassIntake& intake, const FeedbackLms& lms,
                        std::optional<int> exercise, std::vector<WarningOn>& notes) {
    const std::string& id = student.student.id;
    const std::vector<const ClassSubmission*> own = own_submissions(intake, id);
    const LmsName* chosen = nullptr;
    std::set<std::string> numbers;
    bool has_any = false;
    for (const ClassSubmission* one : own) {
        if (!one->lms_name || one->lms_name->lms != lms.name) continue;
        has_any = true;
        if (exercise && !has_exercise(*one, *exercise)) continue;
        numbers.insert(one->lms_name->number);
        chosen = &*one->lms_name;
    }
    if (exercise && chosen)
        if (const GradedAttempt* counts = student.exercises.front().counting();
            counts && counts->submission->student == id && counts->submission->lms_name &&
            counts->submission->lms_name->lms == lms.name)
            chosen = &*counts->submission->lms_name;
    if (!chosen)
        notes.push_back({id,
                         has_any ? fmt::format("handed in nothing for exercise {}, and is left out", *exercise)
                                 : fmt::format("has no name of a submission in {} download to send feedback "
                                               "back under, and is left out",
                                               lms.own),
                         " "});
    else if (numbers.size() > 1 && !exercise)
        notes.push_back({id,
                         fmt::format("handed in to several of {} assignments, and gets feedback to the latest: "
                                     "--exercise N makes the zip file for that one",
                                     lms.own),
                         " "});
    return chosen;
}

/// "Ada Lovelace_101_assignsubmission_file_/feedback.html": Moodle before 4.1 needs the folder's last "_", later
/// versions accept it.
std::string moodle_path(const LmsName& name, const std::string& folder) {
    std::string who = name.who;
    std::replace(who.begin(), who.end(), '_', ' ');  // the first one ends the name there
    return fmt::format("{}_{}_assignsubmission_file_/feedback{}.html", who, name.number,
                       folder.empty() ? "" : "-" + folder);
}

/// Canvas identifies the student and the upload by the first two words that are numbers, and rejects a link's name.
std::string canvas_path(const LmsName& name) {
    const std::size_t dot = name.file.rfind('.');
    std::string file = dot == 0 || dot == name.file.npos ? name.file : name.file.substr(0, dot);
    const std::string_view last = std::string_view(file).substr(file.rfind('_') + 1);
    if (file.empty() || last.starts_with("link") || last.starts_with("text")) file = "feedback";
    if (name.who == "anon")
        return fmt::format("{}anon_{}_{}_{}.html", name.is_late ? "LATE_" : "", name.number, name.upload, file);
    return fmt::format("{}_{}{}_{}_{}.html", name.who, name.is_late ? "LATE_" : "", name.number, name.upload, file);
}

}  // namespace

ClassGrades only_exercise(ClassGrades grades, std::size_t index) {
    grades.exercises = {grades.exercises[index]};
    grades.max_points = grades.exercises[0].max_points;
    for (StudentGrade& student : grades.students) {
        student.exercises = {student.exercises[index]};
        student.points = student.exercises[0].points;
        student.max_points = student.exercises[0].max_points;
        student.complete = student.exercises[0].has_points() || student.exercises[0].standing == Standing::exempt;
    }
    return grades;
}

Export lms_feedback(const ClassIntake& intake, const ClassGrades& all, const ClassPolicy& policy,
                    const StudentPages& pages, const std::string& format, std::optional<int> exercise) {
    const FeedbackLms lms = format == "moodle-feedback" ? FeedbackLms{"moodle", "Moodle", "Moodle's"}
                                                        : FeedbackLms{"canvas", "Canvas", "Canvas'"};
    const std::vector<std::size_t> chosen = exported_exercises(all, exercise);
    const ClassGrades grades = exercise ? only_exercise(all, chosen.front()) : all;
    const std::string folder = exercise ? grades.exercises[0].folder : "";
    Export made;
    std::vector<ArchivedFile> files;
    std::set<std::string> paths;
    for (const StudentGrade& student : grades.students) {
        const LmsName* name = name_for(student, intake, lms, exercise, made.notes);
        if (!name) continue;
        std::string path = lms.name == std::string_view("moodle") ? moodle_path(*name, folder) : canvas_path(*name);
        if (!paths.insert(path).second) {
            made.notes.push_back({student.student.id, "has the same name there as another, and is left out", " "});
            continue;
        }
        files.push_back({std::move(path), student_page(pages.view(grades, student), policy.title)});
    }
    if (files.empty())
        throw UsageError(fmt::format(
            "nobody's feedback can go back to {0}: no submission here came from {2} download{1}. Grade {2} own "
            "download of the submissions (once more, if an earlier kit graded it: what is graded stays)",
            lms.shown, exercise ? fmt::format(" with exercise {}", *exercise) : "", lms.own));
    made.text = zip_archive(files);
    return made;
}

namespace {

constexpr std::size_t max_message_bytes = 300;  // the full text is on the student's page

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

/// The grader's summary: points, tasks, the first line of a compile error, lateness.
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

/// One line for an exercise, plus one for each mark of its tasks.
std::string of_exercise(const ExerciseGrade& grade) {
    if (grade.standing == Standing::exempt) return "exempt";
    const GivenMark* const whole = grade.whole_mark();
    std::string text;
    if (whole && grade.standing == Standing::graded) {
        const std::string tasks = tasks_not_right(*grade.counting()->result);
        text = whole->points_text();  // it ends with the grader's summary, in brackets
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
