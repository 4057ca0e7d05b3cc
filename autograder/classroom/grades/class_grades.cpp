// SPDX-License-Identifier: MIT
#include "classroom/grades/class_grades.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "support/text.hpp"

namespace course {

namespace {

bool is_right(std::string_view status, const Confirmation* decision) {
    return status == "passed" || status == "noisy" || (status == "review" && decision && decision->accepted);
}

constexpr std::size_t max_unusable_bytes = 1000;  // for names that students chose

/// True for a verdict `review` on a task without points by hand.
bool has_review(const StoredResult& stored, const std::vector<GivenMark>& marks) {
    const auto is_marked = [&](const std::string& task) {
        return std::any_of(marks.begin(), marks.end(), [&](const GivenMark& one) {
            return one.gives_points() && (one.is_whole() || one.mark->task == task);
        });
    };
    return std::any_of(stored.result->tasks.begin(), stored.result->tasks.end(),
                       [&](const StoredTask& task) { return task.status == "review" && !is_marked(task.id); }) ||
           std::any_of(stored.hidden.begin(), stored.hidden.end(), [&](const StoredHidden& one) {
               return (one.status == "review" || one.shown_status == "review") && !is_marked(one.id);
           });
}

std::string of_points(double points, double max_points) {
    return fmt::format("{} of {}", points_text(points), points_text(max_points));
}

/// "1 day 2 h 5 min". Nothing is rounded: a minute more may cost points.
std::string span_text(std::chrono::seconds span) {
    std::string text;
    const auto add = [&](std::chrono::seconds unit, const char* name) {
        if (span >= unit) text += fmt::format("{}{} {}", text.empty() ? "" : " ", span / unit, name);
        span %= unit;
    };
    add(std::chrono::hours(24), span < std::chrono::hours(48) ? "day" : "days");
    add(std::chrono::hours(1), "h");
    add(std::chrono::minutes(1), "min");
    add(std::chrono::seconds(1), "s");
    return text;
}

class Grader {
public:
    Grader(const ClassResults& read, const ClassPolicy& policy) : read_(read), policy_(policy) {}

    ClassGrades grade() {
        grades_.warnings = policy_.warnings;
        find_exercises();
        find_students();
        find_marks();
        for (StudentGrade& student : grades_.students) {
            for (const CountedExercise& exercise : grades_.exercises)
                student.exercises.push_back(grade_exercise(student.student.id, exercise));
            for (const ExerciseGrade& one : student.exercises) {
                student.points += one.points;
                student.max_points += one.max_points;
                student.complete = student.complete && (one.has_points() || one.standing == Standing::exempt);
            }
            for (const ClassSubmission* one : submissions_[student.student.id]) {
                student.problems.insert(student.problems.end(), one->problems.begin(), one->problems.end());
                if (is_late_without_time(*one, student))
                    student.late_without_time =
                        "Canvas marks it LATE, and doesn't say when it was handed in, so nothing is taken off: give "
                        "the time in the roster's column \"submitted\" and call course grade again, or give points by "
                        "hand";
            }
            student.unusable = why_unusable(student.student.id, UnusableAnswer::any_exercise);
        }
        const auto late = std::count_if(grades_.students.begin(), grades_.students.end(),
                                        [](const StudentGrade& one) { return !one.late_without_time.empty(); });
        if (without_time_ > 0)
            grades_.notes.push_back(
                fmt::format("{} of {} submissions have no time stamp from the LMS: they aren't late{}", without_time_,
                            read_.intake.submissions.size(),
                            late == 0 ? ""
                                      : fmt::format("; Canvas marks {} LATE: see the submissions to look at", late)));
        return std::move(grades_);
    }

private:
    /// True if Canvas marks it LATE, nobody says when it came, and a deadline counts for it.
    [[nodiscard]] bool is_late_without_time(const ClassSubmission& one, const StudentGrade& student) const {
        if (one.time || !one.lms_name || !one.lms_name->is_late) return false;
        return std::any_of(grades_.exercises.begin(), grades_.exercises.end(), [&](const CountedExercise& exercise) {
            const ExercisePolicy policy = policy_.of(exercise.number, student.student.id);
            return !policy.is_exempt && (policy.deadline || policy.last_acceptance);
        });
    }

    void find_exercises() {
        std::map<int, CountedExercise> found;
        for (const ClassSubmission& submission : read_.intake.submissions)
            for (const SubmittedAnswer& answer : submission.answers) {
                CountedExercise& one = found[answer.number];
                one.number = answer.number;
                one.folder = answer.folder;
            }
        for (const auto& [id, result] : read_.results) {
            if (!result.result) continue;
            CountedExercise& one = found[id.second];
            one.title = result.result->title;
            one.max_points = std::max(one.max_points, static_cast<double>(result.result->max_points));
            one.stars = std::max(one.stars, result.result->stars);
        }
        std::vector<int> numbers = policy_.exercises;
        if (numbers.empty())
            for (const auto& [number, one] : found) {
                // Students hand in what they have begun, and graders choose with --exercises.
                if (read_.tried.empty() || read_.tried.contains(number))
                    numbers.push_back(number);
                else
                    grades_.notes.push_back(fmt::format(
                        "exercise {} was handed in, and no answer to it has been graded: it doesn't count", number));
            }
        for (const int number : numbers) {
            CountedExercise one = found[number];
            one.number = number;
            if (one.folder.empty()) one.folder = fmt::format("exercise-{:02}", number);  // nobody has handed it in
            if (one.title.empty()) one.title = fmt::format("Exercise {}", number);
            if (const auto points = policy_.of(number).points) one.max_points = *points;
            if (one.max_points <= 0)
                grades_.notes.push_back(
                    fmt::format("exercise {} has no points: nobody's answer to it is graded, and "
                                "class.toml doesn't say how many it has",
                                number));
            grades_.max_points += one.max_points;
            grades_.exercises.push_back(std::move(one));
        }
    }

    void find_students() {
        std::set<std::string> known;
        for (const ClassStudent& student : read_.intake.roster)
            if (known.insert(student.id).second)
                grades_.students.push_back({.student = student, .exercises = {}, .problems = {}});
        for (const ClassSubmission& submission : read_.intake.submissions) {
            std::set<std::string> members(submission.members.begin(), submission.members.end());
            members.insert(submission.student);
            for (const std::string& id : members) {
                if (known.insert(id).second)
                    grades_.students.push_back({.student = {.id = id, .name = id, .email = {}, .group = {}},
                                                .rostered = false,
                                                .exercises = {},
                                                .problems = {}});
                submissions_[id].push_back(&submission);
            }
            if (!submission.time) ++without_time_;
        }
        for (auto& [id, list] : submissions_)
            std::stable_sort(list.begin(), list.end(), [](const ClassSubmission* a, const ClassSubmission* b) {
                if (a->time && b->time && *a->time != *b->time) return *a->time < *b->time;
                return a->attempt < b->attempt;
            });
    }

    GradedAttempt grade_attempt(const ClassSubmission& submission, const CountedExercise& exercise,
                                const ExercisePolicy& policy) const {
        GradedAttempt attempt;
        attempt.submission = &submission;
        const auto at = read_.results.find({submission.id, exercise.number});
        if (at == read_.results.end()) {
            attempt.is_waiting = !read_.unreadable.contains({submission.id, exercise.number});
            attempt.fault = attempt.is_waiting ? "not graded yet" : "its result's file can't be read";
            return attempt;
        }
        attempt.result = &at->second;
        if (!at->second.grader_fault.empty() || !at->second.result) {
            attempt.fault = at->second.grader_fault.empty() ? "the grader left no result" : at->second.grader_fault;
            return attempt;
        }
        attempt.decision = decision_on(read_, at->second);
        attempt.waits_for_review = !attempt.decision && has_review(at->second, {});
        attempt.points = policy_.points_per_star * at->second.result->stars;
        for (const WeighedTask& one :
             weighed_tasks(at->second, attempt.decision, exercise.max_points, policy.hidden_share.value_or(1), {}))
            *attempt.points += one.points();
        if (submission.time && policy.deadline && *submission.time > *policy.deadline) {
            attempt.late = late_factor(policy_.late, *policy.deadline, *submission.time);
            attempt.late_by = fmt::format("{} after the deadline of {}", span_text(*submission.time - *policy.deadline),
                                          policy_.time_zone.text(*policy.deadline));
        }
        attempt.after_last_acceptance =
            submission.time && policy.last_acceptance && *submission.time > *policy.last_acceptance;
        return attempt;
    }

    /// Why the student's latest submission meant for the exercise is unusable; empty: there is none.
    std::string why_unusable(const std::string& student, int exercise) {
        std::string why;
        for (const ClassSubmission* submission : submissions_[student])
            for (const UnusableAnswer& one : submission->unusable)
                if (one.number == exercise || one.number == UnusableAnswer::any_exercise)
                    why = plain_text(one.why, max_unusable_bytes, 1);
        return why;
    }

    ExerciseGrade grade_exercise(const std::string& student, const CountedExercise& exercise) {
        const ExercisePolicy policy = policy_.of(exercise.number, student);
        ExerciseGrade grade;
        if (policy.is_exempt) {
            grade.standing = Standing::exempt;
            note_marks_without_effect(student, exercise);
            return grade;
        }
        grade.max_points = exercise.max_points;
        grade.deadline = policy.deadline;
        grade.extended = policy.extended;
        grade_attempts(student, exercise, policy, grade);
        mark_by_hand(student, exercise, policy, grade);
        return grade;
    }

    /// Computes the points by the grader alone.
    void grade_attempts(const std::string& student, const CountedExercise& exercise, const ExercisePolicy& policy,
                        ExerciseGrade& grade) {
        for (const ClassSubmission* submission : submissions_[student])
            if (std::any_of(submission->answers.begin(), submission->answers.end(),
                            [&](const SubmittedAnswer& answer) { return answer.number == exercise.number; }))
                grade.attempts.push_back(grade_attempt(*submission, exercise, policy));
        if (grade.attempts.empty()) {
            grade.unusable = why_unusable(student, exercise.number);
            return;
        }
        grade.standing = Standing::graded;
        choose(grade, policy);
        const GradedAttempt* counting = grade.counting();
        if (!counting || !counting->points) {
            grade.standing = Standing::not_graded;
            grade.counts = grade.counts.value_or(grade.attempts.size() - 1);
            grade.notes.push_back(why_not_graded(grade));
            return;
        }
        grade.points = counting->counted();
        note(grade, policy);
    }

    /// Replaces the grader's points by those given by hand. They are final: lateness doesn't reduce them.
    void mark_by_hand(const std::string& student, const CountedExercise& exercise, const ExercisePolicy& policy,
                      ExerciseGrade& grade) {
        const auto marks = marks_.find({student, exercise.number});
        if (marks == marks_.end()) return;
        const GradedAttempt* const counting = grade.counting();
        const bool is_graded = grade.standing == Standing::graded;
        std::vector<WeighedTask> tasks;
        const double share = policy.hidden_share.value_or(1);
        if (is_graded) tasks = weighed_tasks(*counting->result, counting->decision, exercise.max_points, share, {});
        for (const Mark* mark : marks->second) {
            GivenMark given{.mark = mark, .max_points = grade.max_points, .grader = grader_says(grade)};
            if (!mark->task.empty()) {
                const auto at = std::find_if(tasks.begin(), tasks.end(),
                                             [&](const WeighedTask& one) { return one.task->id == mark->task; });
                given.has_place = at != tasks.end();
                given.max_points = given.has_place ? at->max_points() : 0;
                given.grader =
                    given.has_place ? "the grader: " + of_points(at->points(), at->max_points()) : std::string();
            }
            given.points = mark->points_of(given.max_points);
            given.is_of_other_answer = digest_of(counting, exercise.number) != mark->digest;
            if (!given.has_place && mark->points)
                grades_.warnings.push_back(
                    fmt::format("the mark of {} on exercise {}, {}, changes nothing: the answer "
                                "that counts has no such task with points, or isn't graded",
                                plain_line(student), exercise.number, plain_line(mark->task)));
            grade.marks.push_back(std::move(given));
        }
        if (is_graded) {
            const double kept = counting->after_last_acceptance ? 0 : counting->late;
            grade.points = kept * policy_.points_per_star * counting->result->result->stars;
            for (const WeighedTask& one :
                 weighed_tasks(*counting->result, counting->decision, exercise.max_points, share, grade.marks))
                grade.points += (one.by_hand ? 1 : kept) * one.points();
        }
        if (const GivenMark* whole = grade.whole_mark()) grade.points = whole->points;
        for (GradedAttempt& attempt : grade.attempts)
            attempt.waits_for_review = attempt.waits_for_review && has_review(*attempt.result, grade.marks);
    }

    static std::string grader_says(const ExerciseGrade& grade) {
        if (grade.standing == Standing::graded) return "the grader: " + of_points(grade.points, grade.max_points);
        if (grade.standing == Standing::not_graded) return "not graded";
        return grade.unusable.empty() ? "nothing handed in" : "what was handed in can't be used";
    }

    static std::string digest_of(const GradedAttempt* attempt, int number) {
        if (!attempt) return "";
        for (const SubmittedAnswer& one : attempt->submission->answers)
            if (one.number == number) return one.digest;
        return "";
    }

    /// Orders the marks by students and exercises, and warns of those of an unknown student or of an exercise that
    /// doesn't count.
    void find_marks() {
        std::set<std::string> students;
        for (const StudentGrade& one : grades_.students) students.insert(one.student.id);
        for (const Mark& mark : read_.marks) {
            const bool counts = std::any_of(grades_.exercises.begin(), grades_.exercises.end(),
                                            [&](const auto& one) { return one.number == mark.exercise; });
            if (!students.contains(mark.student) || !counts)
                grades_.warnings.push_back(fmt::format(
                    "the mark of {} on exercise {} changes nothing: {}", plain_line(mark.student), mark.exercise,
                    counts ? "nobody of that name is in the class" : "that exercise doesn't count"));
            std::vector<const Mark*>& list = marks_[{mark.student, mark.exercise}];
            list.insert(mark.task.empty() ? list.begin() : list.end(), &mark);
        }
    }

    void note_marks_without_effect(const std::string& student, const CountedExercise& exercise) {
        if (marks_.contains({student, exercise.number}))
            grades_.warnings.push_back(
                fmt::format("the mark of {} on exercise {} changes nothing: class.toml exempts the student from it",
                            plain_line(student), exercise.number));
    }

    /// Chooses the attempt that counts. An ungraded attempt can't be the best one, but it can be the latest.
    static void choose(ExerciseGrade& grade, const ExercisePolicy& policy) {
        if (policy.best_of == BestOf::latest) {
            grade.counts = grade.attempts.size() - 1;
            return;
        }
        for (std::size_t k = 0; k < grade.attempts.size(); ++k) {
            if (!grade.attempts[k].points) continue;
            if (!grade.counts || grade.attempts[k].counted() > grade.attempts[*grade.counts].counted())
                grade.counts = k;
        }
    }

    void note(ExerciseGrade& grade, const ExercisePolicy& policy) const {
        const GradedAttempt& one = *grade.counting();
        if (one.after_last_acceptance)
            grade.notes.push_back("handed in after the last acceptance, " +
                                  policy_.time_zone.text(*policy.last_acceptance));
        else if (one.late < 1)
            grade.notes.push_back(fmt::format("late: {:.4g} % of the points count", 100 * one.late));
        if (policy.deadline && !one.submission->time)
            grade.notes.push_back("no time stamp from the LMS, so not counted as late");
        if (grade.waits_for_review()) grade.notes.push_back("waits for review: no points for that task until then");
        if (one.decision)
            grade.notes.push_back(
                fmt::format("review {}: {}", one.decision->accepted ? "confirmed" : "rejected", one.decision->because));
        if (policy_.asks_for_hidden && policy.hidden_share.value_or(0) > 0 && one.result->hidden.empty())
            grade.notes.push_back("no hidden cases ran: all points are those of the cases that students have");
        if (!one.result->not_taken.empty())
            grade.notes.push_back("the answer can't be taken: " + one.result->not_taken);
        for (const GradedAttempt& other : grade.attempts)
            if (!other.fault.empty() && one.counted() < grade.max_points)
                grade.notes.push_back(
                    fmt::format("attempt {} isn't graded: {}", other.submission->attempt, other.fault));
    }

    const ClassResults& read_;
    const ClassPolicy& policy_;
    ClassGrades grades_;
    std::map<std::string, std::vector<const ClassSubmission*>> submissions_;  // per student, in order of time
    std::map<std::pair<std::string, int>, std::vector<const Mark*>> marks_;   // by student and exercise number
    std::size_t without_time_ = 0;
};

}  // namespace

bool ExerciseGrade::waits_for_review() const {
    return std::any_of(attempts.begin(), attempts.end(), [](const GradedAttempt& one) { return one.waits_for_review; });
}

const GivenMark* ExerciseGrade::whole_mark() const {
    const auto at = std::find_if(marks.begin(), marks.end(),
                                 [](const GivenMark& one) { return one.is_whole() && one.gives_points(); });
    return at == marks.end() ? nullptr : &*at;
}

bool ExerciseGrade::has_points() const {
    return standing == Standing::graded || standing == Standing::nothing_handed_in || whole_mark();
}

bool StudentGrade::is_exempt_of_all() const {
    return !exercises.empty() && std::all_of(exercises.begin(), exercises.end(),
                                             [](const ExerciseGrade& one) { return one.standing == Standing::exempt; });
}

double StudentGrade::points_of(double possible) const {
    const bool is_scaled = max_points > 0 && std::abs(max_points - possible) > 1e-9;
    return std::min(is_scaled ? points / max_points * possible : points, possible);
}

std::string GivenMark::points_text(bool tells_grader) const {
    if (!gives_points()) return "";
    std::string in_brackets = tells_grader ? grader : "";
    if (std::abs(max_points - mark->of) > 1e-9)
        in_brackets = fmt::format("given as {}{}{}", of_points(*mark->points, mark->of),
                                  in_brackets.empty() ? "" : "; ", in_brackets);
    return of_points(points, max_points) + " by hand" + (in_brackets.empty() ? "" : " (" + in_brackets + ")");
}

std::string GivenMark::text(bool tells_grader) const {
    std::string text = mark->task;
    for (const std::string& part : {points_text(tells_grader), mark->comment})
        if (!part.empty()) text += (text.empty() ? "" : ": ") + part;
    return text;
}

std::vector<WeighedTask> weighed_tasks(const StoredResult& stored, const Confirmation* decision, double max_points,
                                       double hidden_share, const std::vector<GivenMark>& marks) {
    std::vector<WeighedTask> tasks;
    const StoredExercise& result = *stored.result;
    const double weight = result.max_points > 0 ? max_points / result.max_points : 0;
    for (const StoredTask& task : result.tasks) {
        if (task.star) continue;
        WeighedTask one{.task = &task, .hidden = stored.hidden_of(task)};
        const double task_max = weight * task.max_points;
        one.hidden_max = one.hidden ? hidden_share * task_max : 0;
        one.shown_max = task_max - one.hidden_max;
        if (!one.hidden) {
            const bool accepted = task.status == "review" && is_right(task.status, decision);
            one.shown = weight * (accepted ? task.max_points : task.points);
        } else if (is_right(one.hidden->shown_status, decision)) {
            one.shown = one.shown_max;
            one.hidden_points = is_right(one.hidden->status, decision) ? one.hidden_max : 0;
        }
        for (const GivenMark& mark : marks) {
            if (mark.is_whole() || !mark.gives_points() || mark.mark->task != task.id) continue;
            one.by_hand = &mark;
            one.shown = mark.points;
            one.shown_max = task_max;
            one.hidden_points = one.hidden_max = 0;
        }
        tasks.push_back(one);
    }
    return tasks;
}

std::string why_not_graded(const ExerciseGrade& grade) {
    const GradedAttempt& one = *grade.counting();
    return one.is_waiting ? "hasn't been graded yet" : "couldn't be graded because of the grader: " + one.fault;
}

ClassGrades grade_class(const ClassResults& read, const ClassPolicy& policy) { return Grader(read, policy).grade(); }

double rounded(double points) {
    constexpr double nearly = 1e-9;  // 6.5 / 8 * 10 may be a bit less than 8.125
    return std::floor(points * 100 + 0.5 + nearly) / 100;
}

std::string points_text(double points) {
    std::string text = fmt::format("{:.2f}", rounded(points) + 0.0);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
}

}  // namespace course
