// SPDX-License-Identifier: MIT
#include "progress/course_path.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "manifest/lesson.hpp"
#include "progress/answers.hpp"

namespace course {

namespace {

bool is_lesson_name(const std::string& name) {
    const auto digit = [&](std::size_t k) { return name[k] >= '0' && name[k] <= '9'; };
    return name.size() > 3 && digit(0) && digit(1) && name[2] == '-';
}

bool is_answered(const std::string& id, const std::vector<RecordedAnswer>& answers) {
    return std::any_of(answers.begin(), answers.end(), [&](const RecordedAnswer& one) { return one.question == id; });
}

/// As lesson.toml has it; while there is none, or none that can be read, the folder's name says enough.
LessonOnPath lesson_on_path(const LessonFolder& folder, const std::vector<RecordedAnswer>& answers) {
    LessonOnPath found{.name = folder.name(), .title = title_of_lesson(folder.name())};
    try {
        const Lesson lesson = read_lesson(folder);
        found.title = lesson.title;
        if (!lesson.breather) return found;
        const std::vector<Question> questions = lesson.sitting(true).questions;
        found.breather_minutes = lesson.breather->minutes;
        found.breather_done = std::all_of(questions.begin(), questions.end(), [&](const Question& question) {
            return is_answered(lesson.full_id(question), answers);
        });
    } catch (const ManifestError&) {}
    return found;
}

int sum(const std::vector<ExerciseOnPath>& exercises, int (*of)(const ExerciseOnPath&)) {
    int total = 0;
    for (const ExerciseOnPath& one : exercises) total += one.bonus ? 0 : of(one);
    return total;
}

ExerciseOnPath on_path(const ExerciseFolder& folder, const Progress::Records& records) {
    ExerciseOnPath exercise{.folder = folder, .title = {}, .lesson = {}, .problem = {}, .progress = {}};
    if (const auto record = records.find(folder.name); record != records.end()) exercise.progress = record->second;
    try {
        const Manifest manifest = read_manifest(folder.path);
        exercise.title = manifest.title;
        exercise.lesson = manifest.lesson;
        exercise.minutes = manifest.minutes;
        exercise.bonus = manifest.bonus;
        for (const Task& task : manifest.tasks) {
            exercise.max_points += task.points;
            exercise.max_stars += task.star ? 1 : 0;
            exercise.stars += task.star && exercise.progress.stars.contains(task.id) ? 1 : 0;
        }
        exercise.progress.points = std::min(exercise.progress.points, exercise.max_points);
        // Kits before format 2 of the progress noted no points.
        if (exercise.progress.passed) exercise.progress.points = exercise.max_points;
    } catch (const ManifestError& error) {
        exercise.problem = error.what();
    }
    return exercise;
}

}  // namespace

int LessonOnPath::number() const { return is_lesson_name(name) ? std::stoi(name.substr(0, 2)) : 0; }
int LessonOnPath::required() const {
    return sum(exercises, [](const ExerciseOnPath&) { return 1; });
}
int LessonOnPath::passed() const {
    return sum(exercises, [](const ExerciseOnPath& one) { return one.progress.passed ? 1 : 0; });
}
int LessonOnPath::points() const {
    return sum(exercises, [](const ExerciseOnPath& one) { return one.progress.points; });
}
int LessonOnPath::max_points() const {
    return sum(exercises, [](const ExerciseOnPath& one) { return one.max_points; });
}

int LessonOnPath::stars() const {
    return sum(exercises, [](const ExerciseOnPath& one) { return one.stars; });
}
int LessonOnPath::max_stars() const {
    return sum(exercises, [](const ExerciseOnPath& one) { return one.max_stars; });
}

std::string progress_bar(const std::vector<LessonOnPath>& path) {
    constexpr int width = 30;
    int done = 0, all = 0;
    for (const LessonOnPath& lesson : path) {
        done += lesson.passed();
        all += lesson.required();
    }
    const auto filled = static_cast<std::size_t>(all == 0 ? 0 : done * width / all);
    return fmt::format("[{}{}] {} of {} exercises passed", std::string(filled, '#'), std::string(width - filled, '-'),
                       done, all);
}

std::string stars_text(int stars, int max_stars) {
    return max_stars == 0 ? "" : fmt::format("{} of {} star{}", stars, max_stars, max_stars == 1 ? "" : "s");
}

std::string title_of_lesson(const std::string& name) {
    std::string title = is_lesson_name(name) ? name.substr(3) : name;
    std::replace(title.begin(), title.end(), '-', ' ');
    if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
    return title;
}

std::vector<LessonOnPath> course_path(const Kit& kit) {
    const Progress::Records records = Progress(kit.root / "work").read();
    const std::vector<RecordedAnswer> answers = Answers(kit.root / "work").read();
    std::map<std::string, LessonOnPath> lessons;  // by name, which begins with the number
    try {
        for (const LessonFolder& folder : lesson_folders(kit.root))
            lessons[folder.name()] = lesson_on_path(folder, answers);
    } catch (const ManifestError&) {}   // a misnamed folder: `course dev check` says which
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        ExerciseOnPath exercise = on_path(folder, records);
        lessons[exercise.lesson].exercises.push_back(std::move(exercise));
    }
    std::vector<LessonOnPath> path;
    for (auto& [name, lesson] : lessons) {
        lesson.name = name;
        if (lesson.title.empty()) lesson.title = name.empty() ? "Not readable" : title_of_lesson(name);
        path.push_back(std::move(lesson));
    }
    if (!path.empty() && path.front().name.empty()) std::rotate(path.begin(), path.begin() + 1, path.end());
    return path;
}

}  // namespace course
