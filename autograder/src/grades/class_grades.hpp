// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "grades/class_results.hpp"
#include "grades/policy.hpp"

namespace course {

/// How it stands with one student's exercise.
enum class Standing {
    graded,
    nothing_handed_in,  ///< 0 points; or nothing that can be used (ExerciseGrade::unusable)
    not_graded,         ///< not yet, or the grader was at fault: no points, and no zero either
};

/// What a task earns, by its exercise's weight; lateness is left aside.
struct WeighedTask {
    const StoredTask* task = nullptr;
    const StoredHidden* hidden = nullptr;      ///< nullptr: no hidden cases ran
    double shown = 0, shown_max = 0;           ///< for the cases that students have
    double hidden_points = 0, hidden_max = 0;  ///< for the hidden ones, once those are right
    [[nodiscard]] double points() const { return shown + hidden_points; }
    [[nodiscard]] double max_points() const { return shown_max + hidden_max; }
};

/// The tasks with points. A verdict `review` earns none until it is confirmed. Pure.
std::vector<WeighedTask> weighed_tasks(const StoredResult& stored, const Confirmation* decision, double max_points,
                                       double hidden_share);

/// One attempt at one exercise.
struct GradedAttempt {
    const ClassSubmission* submission = nullptr;
    const StoredResult* result = nullptr;  ///< nullptr: not graded yet
    const Confirmation* decision = nullptr;
    std::string fault;             ///< why it isn't graded; empty: it is
    bool is_waiting = false;       ///< it isn't graded because nobody has begun to: no fault of the grader's
    std::optional<double> points;  ///< by tasks, hidden cases and stars, before anything is lost for time
    double late = 1;               ///< factor
    bool after_last_acceptance = false;
    bool waits_for_review = false;  ///< a task that has the verdict `review`, and no decision on it
    [[nodiscard]] double counted() const { return points.value_or(0) * (after_last_acceptance ? 0 : late); }
};

/// One student's exercise.
struct ExerciseGrade {
    Standing standing = Standing::nothing_handed_in;
    double points = 0, max_points = 0;
    std::vector<GradedAttempt> attempts;  ///< in order of time
    std::string unusable;                 ///< of no attempts: why what was handed in can't be used; empty: nothing was
    std::optional<std::size_t> counts;    ///< which of them
    std::vector<std::string> notes;       ///< what a teacher should know of the points
    [[nodiscard]] const GradedAttempt* counting() const { return counts ? &attempts[*counts] : nullptr; }
    [[nodiscard]] bool waits_for_review() const;
};

/// One student.
struct StudentGrade {
    ClassStudent student;
    bool rostered = true;
    std::vector<ExerciseGrade> exercises;  ///< as ClassGrades::exercises
    double points = 0;                     ///< of all that is graded
    bool complete = true;                  ///< false: something isn't graded, so that the sum isn't final
    std::string unusable = {};             ///< why all of a submission can't be used; empty: there is none such
    std::vector<std::string> problems;     ///< what could not be taken of the submissions
};

/// An exercise that counts.
struct CountedExercise {
    int number = 0;
    std::string folder, title;
    double max_points = 0;  ///< as the policy weighs it; stars may add to it
    int stars = 0;          ///< most that anyone has
};

/// The points of a class.
struct ClassGrades {
    std::vector<CountedExercise> exercises;
    std::vector<StudentGrade> students;  ///< those of the roster first, in its order
    double max_points = 0;
    std::vector<std::string> notes;  ///< what holds for the class: "no submission has a time stamp ..."
};

/// Computes the points, at read time: another policy needs no other results. Pure; points into `read`.
ClassGrades grade_class(const ClassResults& read, const ClassPolicy& policy);

/// Why what counts of an exercise isn't graded, in words that go on from the exercise's name: "hasn't been graded yet",
/// "couldn't be graded because of the grader: the GPU fell off the bus". Pure.
std::string why_not_graded(const ExerciseGrade& grade);

/// 2.5 and not 2.500000; two decimals at most. Pure.
std::string points_text(double points);

}  // namespace course
