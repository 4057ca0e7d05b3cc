// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "classroom/grades/policy.hpp"
#include "classroom/grades/stored_result.hpp"

namespace course {

/// The state of one student's exercise.
enum class Standing {
    graded,
    nothing_handed_in,  ///< 0 points; or nothing usable (ExerciseGrade::unusable)
    not_graded,         ///< not yet, or the grader was at fault: no points, but no zero either
    exempt,             ///< it doesn't count for this student
};

/// A mark, and its present meaning.
struct GivenMark {
    const Mark* mark = nullptr;
    double points = 0, max_points = 0;  ///< by today's weight, if it gives points
    std::string grader;                 ///< "the grader: 2 of 4", "nothing handed in"; empty: unknown
    bool has_place = true;              ///< false: its task isn't among those of the answer that counts
    bool is_of_other_answer = false;    ///< another answer counts now than when the mark was given
    [[nodiscard]] bool gives_points() const { return mark->points && has_place; }
    [[nodiscard]] bool is_whole() const { return mark->task.empty(); }
    /// "3 of 4 by hand (the grader: 2 of 4)"; without the grader's part unless `tells_grader`; empty: no points. Pure.
    [[nodiscard]] std::string points_text(bool tells_grader = true) const;
    /// The same with the comment, preceded by the task: "add: 1 of 2 by hand (the grader: 2 of 2): copied". Pure.
    [[nodiscard]] std::string text(bool tells_grader = true) const;
};

/// A task's points by its exercise's weight, before lateness.
struct WeighedTask {
    const StoredTask* task = nullptr;
    const StoredHidden* hidden = nullptr;      ///< nullptr: no hidden cases ran
    double shown = 0, shown_max = 0;           ///< for the cases that students have
    double hidden_points = 0, hidden_max = 0;  ///< for the hidden ones, if those are right too
    const GivenMark* by_hand = nullptr;  ///< whose points are in `shown`; lateness doesn't reduce them
    [[nodiscard]] double points() const { return shown + hidden_points; }
    [[nodiscard]] double max_points() const { return shown_max + hidden_max; }
};

/// The tasks with their points. A verdict `review` earns none until it is confirmed. Marks of tasks replace the
/// grader's points, those of the whole exercise don't. Pure; points into `marks`.
std::vector<WeighedTask> weighed_tasks(const StoredResult& stored, const Confirmation* decision, double max_points,
                                       double hidden_share, const std::vector<GivenMark>& marks);

/// An attempt at an exercise.
struct GradedAttempt {
    const ClassSubmission* submission = nullptr;
    const StoredResult* result = nullptr;  ///< nullptr: not graded yet
    const Confirmation* decision = nullptr;
    std::string fault;             ///< why it isn't graded; empty: it is
    bool is_waiting = false;       ///< it isn't graded because grading hasn't started: not the grader's fault
    std::optional<double> points;  ///< with hidden cases and stars, before lateness
    double late = 1;               ///< factor
    std::string late_by = {};      ///< "2 h 5 min after the deadline of 2026-12-01 23:59 UTC"; empty: in time
    bool after_last_acceptance = false;
    bool waits_for_review = false;  ///< a task has the verdict `review`, without a decision or points by hand
    [[nodiscard]] double counted() const { return points.value_or(0) * (after_last_acceptance ? 0 : late); }
};

/// A student's exercise.
struct ExerciseGrade {
    Standing standing = Standing::nothing_handed_in;
    double points = 0, max_points = 0;
    std::vector<GradedAttempt> attempts;  ///< in order of time
    std::string unusable;                 ///< of no attempts: why what was handed in can't be used; empty: nothing was
    std::optional<std::size_t> counts;    ///< the index of the attempt that counts
    std::vector<std::string> notes;       ///< for the teacher, about the points
    std::vector<GivenMark> marks;         ///< in order: of the whole exercise, then of its tasks
    std::optional<std::chrono::sys_seconds> deadline;  ///< the student's own
    std::string extended;  ///< "until 2026-12-05 23:59 Europe/Berlin: extended"; empty: as for everybody
    /// The mark that gives the whole exercise its points; nullptr: the points are the grader's, or from marks of tasks.
    [[nodiscard]] const GivenMark* whole_mark() const;
    /// False: not graded, or exempt; a table cell is then empty.
    [[nodiscard]] bool has_points() const;
    [[nodiscard]] const GradedAttempt* counting() const { return counts ? &attempts[*counts] : nullptr; }
    [[nodiscard]] bool waits_for_review() const;
};

/// A student.
struct StudentGrade {
    ClassStudent student;
    bool rostered = true;
    std::vector<ExerciseGrade> exercises;  ///< as ClassGrades::exercises
    double points = 0;                     ///< of all that is graded
    double max_points = 0;                 ///< of all that counts for this student
    bool complete = true;                  ///< false: something isn't graded, so that the sum isn't final
    std::string unusable = {};             ///< why all of a submission can't be used; empty: there is none such
    std::vector<std::string> problems;     ///< what could not be taken of the submissions
    std::string late_without_time = {};    ///< for the instructor: the LMS says late, and not when; empty: it doesn't
    [[nodiscard]] bool is_exempt_of_all() const;
    /// The points, scaled to `possible` if the student is exempt from something: 4 of 4 are 8 of 8. Never more.
    [[nodiscard]] double points_of(double possible) const;
};

/// An exercise that counts.
struct CountedExercise {
    int number = 0;
    std::string folder, title;
    double max_points = 0;  ///< by the policy's weights; stars may exceed it
    int stars = 0;          ///< the maximum that anybody has
};

/// The points of a class.
struct ClassGrades {
    std::vector<CountedExercise> exercises;
    std::vector<StudentGrade> students;  ///< those of the roster first, in its order
    double max_points = 0;
    std::vector<std::string> notes;     ///< about the class: "no submission has a time stamp ..."
    std::vector<std::string> warnings;  ///< extensions and marks that have no effect: somebody must look
};

/// Computes the points when reading: another policy needs no other results. Pure; points into `read`.
ClassGrades grade_class(const ClassResults& read, const ClassPolicy& policy);

/// Why the attempt that counts isn't graded, to follow the exercise's name: "hasn't been graded yet", "couldn't be
/// graded because of the grader: the GPU fell off the bus". Pure.
std::string why_not_graded(const ExerciseGrade& grade);

/// To two decimals, halves upwards: 0.1 + 0.2 isn't to be seen, and 8.125 is 8.13. Pure.
double rounded(double points);

/// 2.5 and not 2.500000; two decimals at most. Pure.
std::string points_text(double points);

}  // namespace course
