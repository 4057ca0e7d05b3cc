// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "classroom/grades/class_commands.hpp"
#include "classroom/grades/extensions.hpp"
#include "report/terminal.hpp"
#include "support/progress.hpp"
#include "support/text.hpp"

namespace course {

namespace {

/// What `course mark` writes. Without a student it lists the marks.
struct MarkOptions {
    ResultsOptions read;
    std::string student, task, by;
    int exercise = 0;
    std::optional<std::string> points, comment;  ///< as they were typed
    bool group = false;                          ///< for all who handed it in together
    bool clear = false;                          ///< take it back
};

/// "ada, exercise 8" or "ada, exercise 8, add", as lines begin.
std::string place_of(const std::string& student, int exercise, const std::string& task) {
    return fmt::format("{}, exercise {}{}", plain_line(student), exercise, task.empty() ? "" : ", " + plain_line(task));
}

std::string indented(std::string_view text, std::string_view by) {
    std::string lines;
    for (const char c : text) lines += c == '\n' ? "\n" + std::string(by) : std::string(1, c);
    return lines;
}

std::string text_of(const GivenMark& given) {
    std::string text = given.points_text();
    const std::string& comment = given.mark->comment;
    if (!comment.empty()) text += (text.empty() ? "" : ": ") + indented(comment, "    ");
    if (text.empty()) text = "changes nothing any more";
    return text + "\n";
}

int list_marks(const ClassResults& read, const ClassGrades& grades, const ShownNames& names,
               const std::string& results) {
    if (read.marks.empty()) {
        print(
            fmt::format("Nothing is marked by hand. To give points or a comment:\n"
                        "  course mark {} STUDENT EXERCISE --points 3 --comment \"what you saw\"\n",
                        results));
        return 0;
    }
    std::string text = plural(read.marks.size(), "mark") + " by hand:\n";
    std::size_t shown = 0;
    for (const StudentGrade& student : grades.students)
        for (std::size_t k = 0; k < student.exercises.size(); ++k)
            for (const GivenMark& given : student.exercises[k].marks) {
                ++shown;
                text +=
                    fmt::format("  {}: {}", place_of(student.student.id, grades.exercises[k].number, given.mark->task),
                                text_of(given));
                text += fmt::format("    {}{}{}\n", given.mark->when.substr(0, 10),
                                    given.mark->by.empty() ? "" : ", by ", given.mark->by);
                if (given.is_of_other_answer)
                    text += "    another answer counts now than the one that was marked: look again\n";
            }
    if (shown < read.marks.size())
        text += fmt::format("  and {} that changes nothing: see above\n", read.marks.size() - shown);
    names.print(text);
    return 0;
}

std::size_t find_exercise(const ClassGrades& grades, int number) {
    std::vector<int> numbers;
    for (std::size_t k = 0; k < grades.exercises.size(); ++k) {
        if (grades.exercises[k].number == number) return k;
        numbers.push_back(grades.exercises[k].number);
    }
    throw UsageError(fmt::format("exercise {} isn't among those that count: {}", number,
                                 numbers.empty() ? "there are none" : fmt::format("{}", fmt::join(numbers, ", "))));
}

double points_in(const std::string& text, double max_points, const std::string& of) {
    const double points = number_from<double>(text).value_or(std::numeric_limits<double>::quiet_NaN());
    if (!std::isfinite(points))
        throw UsageError(fmt::format("--points \"{}\" isn't a number; write 3 or 2.5", plain_line(text)));
    if (points < 0) throw UsageError(fmt::format("--points {}: expected 0 or more", text));
    if (max_points <= 0)
        throw UsageError(
            fmt::format("{} has no points: no answer to it is graded, and class.toml doesn't say how many "
                        "it has; a comment alone is possible",
                        of));
    if (points > max_points)
        throw UsageError(fmt::format("--points {}: {} has {} at most; class.toml can give it more", text, of,
                                     points_text(max_points)));
    return points;
}

/// The maximum points of a mark for this student's exercise, or for a task.
double possible_points(const StudentGrade& student, const CountedExercise& exercise, const ExerciseGrade& grade,
                       const ClassPolicy& policy, const std::string& task) {
    const std::string where = fmt::format("exercise {} of {}", exercise.number, plain_line(student.student.id));
    if (grade.standing == Standing::exempt)
        throw UsageError(fmt::format("class.toml exempts {} from exercise {}, so it can't have points",
                                     plain_line(student.student.id), exercise.number));
    if (task.empty()) return grade.max_points;
    if (grade.standing != Standing::graded)
        throw UsageError(
            fmt::format("{} has no graded answer, so its tasks aren't known: mark the exercise as a whole, "
                        "without --task",
                        where));
    const GradedAttempt& counting = *grade.counting();
    std::vector<std::string_view> names;
    const double share = policy.of(exercise.number).hidden_share.value_or(1);
    const std::vector<WeighedTask> tasks =
        weighed_tasks(*counting.result, counting.decision, exercise.max_points, share, {});
    for (const WeighedTask& one : tasks) {
        if (one.task->id == task) return one.max_points();
        names.push_back(one.task->id);
    }
    const std::string near = closest_match(task, names);
    throw UsageError(fmt::format(
        "exercise {} has no task \"{}\" with points; {}", exercise.number, plain_line(task),
        near.empty() ? fmt::format("it has {}", fmt::join(names, ", ")) : fmt::format("did you mean \"{}\"?", near)));
}

/// Throws if both the whole exercise and a task would have points: it would be unclear which count.
void refuse_both(const ExerciseGrade& grade, const MarkOptions& options, const std::string& student) {
    for (const GivenMark& one : grade.marks)
        if (one.mark->points && one.is_whole() != options.task.empty())
            throw UsageError(fmt::format(
                "{} has {} by hand already: {}; take that back first, with --clear{}",
                place_of(student, options.exercise, one.mark->task), one.is_whole() ? "points as a whole" : "points",
                one.is_whole() || one.has_place ? one.points_text() : points_text(*one.mark->points),
                one.is_whole() ? "" : " --task " + one.mark->task));
}

bool is_same(const Mark& one, const std::string& student, int exercise, const std::string& task) {
    return one.student == student && one.exercise == exercise && one.task == task;
}

int clear_marks(const ClassResults& read, const ClassGrades& grades, const ShownNames& names,
                const MarkOptions& options) {
    // A mark may belong to somebody who has left the class.
    const bool is_known = std::any_of(read.marks.begin(), read.marks.end(),
                                      [&](const Mark& one) { return one.student == options.student; });
    const std::string student =
        is_known ? options.student : names.find(grades, read.intake, options.student).student.id;
    std::size_t cleared = 0;
    change_marks(options.read.results, [&](std::vector<Mark>& marks) {
        cleared = std::erase_if(marks, [&](const Mark& one) {
            return one.student == student && one.exercise == options.exercise &&
                   (options.task.empty() || one.task == options.task);
        });
    });
    if (cleared == 0)
        throw UsageError(
            fmt::format("{}: nothing is marked by hand", place_of(student, options.exercise, options.task)));
    names.print(fmt::format("Taken back: {}. The grader's points count again.\n",
                            place_of(student, options.exercise, options.task)));
    return 0;
}

/// Everybody who handed in the answer that counts together with this student, including the student.
std::set<std::string> group_of(const ExerciseGrade& grade, const std::string& student) {
    std::set<std::string> members = {student};
    if (const GradedAttempt* counting = grade.counting())
        members.insert(counting->submission->members.begin(), counting->submission->members.end());
    return members;
}

std::string comment_of(const std::string& typed) {
    const std::string comment = plain_text(typed, max_comment_bytes, max_comment_lines);
    if (typed.size() > max_comment_bytes || split(typed, '\n').size() > max_comment_lines)
        throw UsageError(fmt::format("--comment has {} bytes; at most {} bytes and {} lines are kept", typed.size(),
                                     max_comment_bytes, max_comment_lines));
    return std::string(trimmed(comment));
}

int give_mark(const ClassResults& read, const ClassPolicy& policy, const ClassGrades& grades, const ShownNames& names,
              const MarkOptions& options) {
    const StudentGrade& named = names.find(grades, read.intake, options.student);
    const std::size_t index = find_exercise(grades, options.exercise);
    const std::set<std::string> group = group_of(named.exercises[index], named.student.id);
    std::vector<Mark> made;
    for (const StudentGrade& student : grades.students) {
        if (&student != &named && !(options.group && group.contains(student.student.id))) continue;
        const ExerciseGrade& grade = student.exercises[index];
        Mark mark{.student = student.student.id, .task = options.task, .exercise = options.exercise};
        mark.of = possible_points(student, grades.exercises[index], grade, policy, options.task);
        const std::string of =
            fmt::format("exercise {}{}", options.exercise, options.task.empty() ? "" : ", " + options.task);
        if (options.points) {
            refuse_both(grade, options, mark.student);
            mark.points = points_in(*options.points, mark.of, of);
        }
        if (options.comment) mark.comment = comment_of(*options.comment);
        mark.by = plain_line(options.by);
        mark.when = utc_time();
        if (const GradedAttempt* counting = grade.counting()) {
            mark.submission = counting->submission->id;
            for (const SubmittedAnswer& one : counting->submission->answers)
                if (one.number == options.exercise) mark.digest = one.digest;
        }
        made.push_back(std::move(mark));
    }
    change_marks(options.read.results, [&](std::vector<Mark>& marks) {
        for (Mark& mark : made) {
            const auto at = std::find_if(marks.begin(), marks.end(), [&](const Mark& one) {
                return is_same(one, mark.student, mark.exercise, mark.task);
            });
            if (at == marks.end()) {
                marks.push_back(mark);
                continue;
            }
            if (!options.points) {  // omitted fields stay unchanged
                mark.points = at->points;
                mark.of = at->of;
            }
            if (!options.comment) mark.comment = at->comment;
            if (mark.by.empty()) mark.by = at->by;
            *at = mark;
        }
        if (std::erase_if(marks, [](const Mark& one) { return !one.points && one.comment.empty(); }) > 0)
            throw UsageError("--comment is empty, and there are no points: --clear takes a mark back");
    });
    const ClassResults after = read_class_results(options.read.results);
    const ClassGrades now = grade_class(after, policy);
    std::string text;
    for (const StudentGrade& student : now.students)
        for (const GivenMark& given : student.exercises[index].marks)
            if (std::any_of(made.begin(), made.end(), [&](const Mark& one) {
                    return is_same(one, student.student.id, options.exercise, given.mark->task);
                }))
                text += fmt::format("{}: {}", place_of(student.student.id, options.exercise, given.mark->task),
                                    text_of(given));
    if (!options.group && group.size() > 1)
        text += fmt::format("This is for {} alone; --group gives it to all who handed it in together ({}).\n",
                            plain_line(named.student.id), plain_line(fmt::format("{}", fmt::join(group, ", "))));
    names.print(text);
    return 0;
}

int change_mark(const ClassResults& read, const ClassPolicy& policy, const ClassGrades& grades, const ShownNames& names,
                const MarkOptions& options) {
    const bool gives = options.points || options.comment;
    if (options.student.empty() || options.exercise == 0)
        throw UsageError("which exercise, and whose? Write the student and the exercise's number behind the folder");
    if (options.clear && gives) throw UsageError("--clear takes a mark back: give it without --points and --comment");
    if (options.clear) return clear_marks(read, grades, names, options);
    if (!gives)
        throw UsageError(
            "what is the mark? Give --points 3, --comment \"what you saw\", or both; --clear takes it back");
    return give_mark(read, policy, grades, names, options);
}

int mark_command(const Kit& kit, const MarkOptions& options) {
    const ClassResults read = read_class_results(options.read.results);
    const ClassPolicy policy = policy_of(kit, options.read, read.intake);
    const ClassGrades grades = grade_class(read, policy);
    const ShownNames names(options.read.results, read.intake);
    names.print_problems(read, grades);
    const bool lists = options.student.empty() && !options.points && !options.comment && !options.clear;
    try {
        return lists ? list_marks(read, grades, names, options.read.results)
                     : change_mark(read, policy, grades, names, options);
    } catch (const UsageError& error) {
        throw UsageError(names.in(error.what()));
    }
}

}  // namespace

void add_mark(CommandLine& line) {
    auto [command, options] =
        line.add("mark", "points and comments by hand, which stand above the grader's", mark_command);
    options.read.add(command);
    command.option("student", &options.student, "whose: an ID or an email address (default: list all marks)");
    command.option("exercise", &options.exercise, "the exercise's number", {.is_number = true});
    command.option("--points", &options.points, "the points, in place of the grader's");
    command.option("--comment", &options.comment, "what the student reads beside them");
    command.option("--task", &options.task, "of this task alone");
    command.option("--by", &options.by, "who gives it, for you and your colleagues");
    command.option("--group", &options.group, "for all who handed it in together");
    command.option("--clear", &options.clear, "take it back");
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

namespace {

/// What `course confirm` decides. Without a student it lists what waits.
struct ConfirmOptions {
    ResultsOptions read;
    std::string student, because;
    int exercise = 0, attempt = 0;  ///< attempt 0: the only one that waits
    bool reject = false;
};

struct Waiting {
    const StudentGrade* student = nullptr;
    const CountedExercise* exercise = nullptr;
    const GradedAttempt* attempt = nullptr;
};

/// The results with a verdict `review`, decided or not; a group's once per member.
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
        // otherwise its work doesn't explain the verdict
        const bool is_fast = task.speed && task.speed->copy_percent > 100;
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
    : hidden_(anonymity(results, intake, Names::as_before, false)), roster_(kept_roster(results)) {}

void ShownNames::print(const std::string& text) const { course::print(in(text)); }

const StudentGrade& ShownNames::find(const ClassGrades& grades, const ClassIntake& intake,
                                     const std::string& text) const {
    const std::vector<std::string> named = students_named(intake, roster_, text);
    for (const StudentGrade& one : grades.students)
        if (named == std::vector<std::string>{one.student.id} || (hidden_ && hidden_->of(one.student.id) == text))
            return one;
    if (named.size() > 1) throw UsageError(fmt::format("\"{}\"{}", plain_line(text), one_of_students(named)));
    throw UsageError(fmt::format("there is no student \"{}\"{}", plain_line(text), near_student(intake, text)));
}

namespace {

void check_numbers(const Kit& kit, const ClassPolicy& policy, const ClassIntake& intake, const fs::path& path) {
    std::set<int> known, named(policy.exercises.begin(), policy.exercises.end());
    for (const ExerciseFolder& one : exercise_folders(kit.root)) known.insert(one.number);
    const std::set<int> of_edition = known;
    for (const ClassSubmission& submission : intake.submissions)
        for (const SubmittedAnswer& answer : submission.answers) known.insert(answer.number);
    for (const ExercisePolicy& one : policy.own) named.insert(one.number);
    if (policy.leaderboard) named.insert(*policy.leaderboard);
    for (const int number : named)
        if (!known.contains(number))
            throw UsageError(fmt::format("{}: there is no exercise {}; this edition has {}", path.string(), number,
                                         fmt::join(of_edition, ", ")));
}

}  // namespace

ClassPolicy policy_of(const Kit& kit, const ResultsOptions& options, const ClassIntake& intake) {
    const fs::path path = options.policy.empty() ? fs::path(options.results) / "class.toml" : fs::path(options.policy);
    if (options.policy.empty() && !fs::exists(path)) return {};
    ClassPolicy policy = read_policy(path, path.string());
    check_numbers(kit, policy, intake, path);
    bind_extensions(policy, intake, kept_roster(options.results));
    return policy;
}

void ShownNames::print_problems(const ClassResults& read, const ClassGrades& grades) const {
    for (const std::vector<std::string>* lines : {&read.problems, &grades.warnings})
        for (const std::string& line : *lines) print_error(fmt::format("course: {}\n", in(line)));
}

int confirm_command(const Kit& kit, const ConfirmOptions& options) {
    const ClassResults read = read_class_results(options.read.results);
    const ClassGrades grades = grade_class(read, policy_of(kit, options.read, read.intake));
    const ShownNames names(options.read.results, read.intake);
    names.print_problems(read, grades);
    try {
        return options.student.empty() ? list_waiting(grades, options.read.results, names)
                                       : decide(read, grades, names, options);
    } catch (const UsageError& error) {
        throw UsageError(names.in(error.what()));
    }
}

void add_confirm(CommandLine& line) {
    auto [command, options] = line.add("confirm", "what waits for review, and your decision on it", confirm_command);
    options.read.add(command);
    command.option("student", &options.student, "whose answer (default: list all that wait)");
    command.option("exercise", &options.exercise, "the exercise's number", {.is_number = true});
    command.option("--because", &options.because, "what you saw, in a few words");
    command.option("--attempt", &options.attempt, "which, if several wait");
    command.option("--reject", &options.reject, "no points for it");
}

void ResultsOptions::add(const CommandOptions& command) {
    command.option("results", &results, "the folder that `course grade` wrote", {.required = true});
    command.option("--policy", &policy, "the policy (default: class.toml in that folder)");
}

}  // namespace course
