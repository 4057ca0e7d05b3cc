// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kit/kit.hpp"
#include "progress/progress.hpp"
#include "progress/submission.hpp"

namespace course {

/// An exercise and what is known about it.
struct ExerciseOnPath {
    ExerciseFolder folder;
    std::string title, lesson;
    std::string problem;  ///< why its manifest is unusable; empty: it is usable
    int minutes = 0, max_points = 0, stars = 0, max_stars = 0;
    bool bonus = false;
    bool begun = false;   ///< the student's files differ from the given ones
    ExerciseProgress progress;
};

/// A lesson and its exercises.
struct LessonOnPath {
    std::string name;        ///< "06-raw-kernels"; empty: for exercises with an unusable manifest
    std::string title = {};  ///< "Raw kernels"
    std::vector<ExerciseOnPath> exercises = {};
    int breather_minutes = 0;    ///< of the mixed problems after it; 0: there are none
    bool breather_done = false;  ///< all of their questions have been answered
    int questions = 0, answered = 0;   ///< of the lesson itself, without its breather

    [[nodiscard]] int number() const;  ///< 6
    // Counts of exercises that aren't a bonus:
    [[nodiscard]] int required() const;
    [[nodiscard]] int passed() const;
    [[nodiscard]] int points() const;
    [[nodiscard]] int max_points() const;
    [[nodiscard]] int stars() const;      ///< bonus tasks that passed
    [[nodiscard]] int max_stars() const;
};

/// "1 of 2 stars"; empty if there are none to earn. Pure.
std::string stars_text(int stars, int max_stars);

/// The path through the course: the lessons in lessons/ and those that exercises name, in the order in which they are
/// read, each with its exercises. An unusable manifest hides no other. @throws ManifestError for misnamed folders
std::vector<LessonOnPath> course_path(const Kit& kit);

/// "[######------------------------] 5 of 22 exercises passed"; bonus exercises don't count. Pure.
std::string progress_bar(const std::vector<LessonOnPath>& path);

/// The title, if it has more characters than that only what stands before its colon. Pure.
std::string short_title(const LessonOnPath& lesson, std::size_t max_length);

/// True if the student's files exist and differ from the given ones, or can't be collected.
bool is_begun(const Kit& kit, const Manifest& manifest);

/// "06-raw-kernels" is "Raw kernels". Pure.
std::string title_of_lesson(const std::string& name);

/// The exercises in the order of their lessons; those of one lesson by number. @throws ManifestError for misnamed
/// folders
std::vector<ExerciseFolder> exercises_in_order(const Kit& kit);

struct NextExercise : ExerciseFolder {
    bool bonus = false;
};

/// The next exercise after `number` that isn't passed; after the last one, continues from the first; bonus exercises
/// once all others are passed. Nothing: all others are passed. @throws ManifestError
std::optional<NextExercise> next_exercise(const Kit& kit, const Progress::Records& records, int number);

/// Which of these questions comes next, counted from 0; nothing if there are none. A question that was answered wrong
/// comes back after two others, or the next day; one that was answered right after 3, 7, 16 and 35 days; new ones come
/// in between, in order. Those in `own` go before all others whenever they are due or new. Never the same one twice in
/// a row, unless it is the only one.
/// @param ids full ids, in the course's order
/// @param answers all answers given, oldest first
/// @param own ids of questions about what the student has yet to mend
std::optional<std::size_t> next_question(const std::vector<std::string>& ids,
                                         const std::vector<RecordedAnswer>& answers, long today,
                                         const std::set<std::string>& own = {});

}  // namespace course
