// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "grades/class_commands.hpp"
#include "grades/extensions.hpp"
#include "report/output.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

struct Waiting {
    const StudentGrade* student = nullptr;
    const CountedExercise* exercise = nullptr;
    const GradedAttempt* attempt = nullptr;
};

/// A result with a verdict `review`, decided or not; those of a group once for each member.
std::vector<Waiting> reviews(const ClassGrades& grades, bool decided) {
    std::vector<Waiting> found;
    for (const StudentGrade& student : grades.students)
        for (std::size_t k = 0; k < student.exercises.size(); ++k)
            for (const GradedAttempt& attempt : student.exercises[k].attempts)
                if (attempt.waits_for_review || (decided && attempt.decision))
                    found.push_back({&student, &grades.exercises[k], &attempt});
    return found;
}

std::string line_of(const Waiting& one) {
    std::string tasks;
    for (const StoredTask& task : one.attempt->result->result->tasks) {
        if (task.status != "review") continue;
        const bool is_fast = task.speed && task.speed->copy_percent > 100;   // else its work doesn't give the answer
        tasks += fmt::format(
            "{}{}{}", tasks.empty() ? "" : ", ", task.id,
            is_fast ? fmt::format(" ({:.0f} % of the device's copy bandwidth)", task.speed->copy_percent)
                    : " (its counts)");
    }
    return fmt::format("  {:<16} exercise {:>2}, attempt {}: {}\n", plain_line(one.student->student.id),
                       one.exercise->number, one.attempt->submission->attempt,
                       tasks.empty() ? "in the hidden cases" : tasks);
}

int list_waiting(const ClassGrades& grades, const std::string& results, const ShownNames& names) {
    const std::vector<Waiting> waiting = reviews(grades, false);
    if (waiting.empty()) {
        print("Nothing waits for review.\n");
        return 0;
    }
    std::string text =
        fmt::format("{} result{} for review:\n", waiting.size(), waiting.size() == 1 ? " waits" : "s wait");
    for (const Waiting& one : waiting) text += line_of(one);
    const Waiting& first = waiting.front();
    std::string who = names.in(plain_line(first.student->student.id));
    if (who.find(' ') != who.npos) who = '"' + who + '"';
    text += fmt::format("Look at the code (docs/instructor.md says for what), then:\n"
                        "  course confirm {0} {1} {2} --because \"what you saw\"     (--reject: no points)\n"
                        "  or give points by hand: course mark {0} {1} {2} --points 3 --comment \"...\"\n",
                        results, who, first.exercise->number);
    names.print(text);
    return 1;
}

int decide(const ClassResults& read, const ClassGrades& grades, const ShownNames& names,
           const ConfirmOptions& options) {
    if (options.exercise == 0) throw UsageError("which exercise? Write its number behind the student");
    if (plain_line(options.because).find_first_not_of(" \t") == std::string::npos)
        throw UsageError("say why, in a few words: --because \"the cache holds all inputs\"");
    const StudentGrade& student = names.find(grades, read.intake, options.student);
    std::vector<Waiting> fitting;
    for (const Waiting& one : reviews(grades, true))
        if (one.student == &student && one.exercise->number == options.exercise &&
            (options.attempt == 0 ? one.attempt->waits_for_review
                                  : one.attempt->submission->attempt == options.attempt))
            fitting.push_back(one);
    if (fitting.empty())
        throw UsageError(fmt::format("exercise {} of {} doesn't wait for review{}", options.exercise,
                                     plain_line(options.student),
                                     options.attempt == 0 ? "; --attempt changes an earlier decision" : ""));
    if (fitting.size() > 1) {
        std::string text;
        for (const Waiting& one : fitting) text += line_of(one);
        throw UsageError(fmt::format("several attempts wait; say which with --attempt:\n{}", text));
    }
    const GradedAttempt& attempt = *fitting.front().attempt;
    add_confirmation(options.read.results, {.student = student.student.id,
                                            .submission = attempt.submission->id,
                                            .key = attempt.result->key,
                                            .because = plain_line(options.because),
                                            .when = utc_time(),
                                            .exercise = options.exercise,
                                            .accepted = !options.reject});
    names.print(fmt::format("{}: exercise {} of {}, attempt {}. A changed answer needs a new decision.\n",
                            options.reject ? "Rejected" : "Confirmed", options.exercise, plain_line(options.student),
                            attempt.submission->attempt));
    return 0;
}

}  // namespace

ShownNames::ShownNames(const fs::path& results, const ClassIntake& intake)
    : hidden_(anonymity(results, intake, Names::as_before, false)) {}

void ShownNames::print(const std::string& text) const { course::print(in(text)); }

const StudentGrade& ShownNames::find(const ClassGrades& grades, const ClassIntake& intake,
                                     const std::string& text) const {
    const std::string id = student_id(intake, text);
    for (const StudentGrade& one : grades.students)
        if ((one.student.id == id && !id.empty()) || (hidden_ && hidden_->of(one.student.id) == text)) return one;
    throw UsageError(fmt::format("there is no student \"{}\"{}", plain_line(text), near_student(intake, text)));
}

ClassPolicy policy_of(const ResultsOptions& options, const ClassIntake& intake) {
    const fs::path path = options.policy.empty() ? fs::path(options.results) / "class.toml" : fs::path(options.policy);
    if (options.policy.empty() && !fs::exists(path)) return {};
    ClassPolicy policy = read_policy(path, path.string());
    bind_extensions(policy, intake);
    return policy;
}

void ShownNames::print_problems(const ClassResults& read, const ClassGrades& grades) const {
    for (const std::vector<std::string>* lines : {&read.problems, &grades.warnings})
        for (const std::string& line : *lines) print_error(fmt::format("course: {}\n", in(line)));
}

int confirm_command(const Kit&, const ConfirmOptions& options) {
    const ClassResults read = read_class_results(options.read.results);
    const ClassGrades grades = grade_class(read, policy_of(options.read, read.intake));
    const ShownNames names(options.read.results, read.intake);
    names.print_problems(read, grades);
    try {
        return options.student.empty() ? list_waiting(grades, options.read.results, names)
                                       : decide(read, grades, names, options);
    } catch (const UsageError& error) {
        throw UsageError(names.in(error.what()));
    }
}

}  // namespace course
