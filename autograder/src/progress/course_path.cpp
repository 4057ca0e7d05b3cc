// SPDX-License-Identifier: MIT
#include "progress/course_path.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "collect/collect.hpp"
#include "manifest/lesson.hpp"
#include "progress/submission.hpp"
#include "support/text.hpp"

namespace course {

namespace {

bool is_lesson_name(const std::string& name) {
    const auto digit = [&](std::size_t k) { return name[k] >= '0' && name[k] <= '9'; };
    return name.size() > 3 && digit(0) && digit(1) && name[2] == '-';
}

bool is_answered(const std::string& id, const std::vector<RecordedAnswer>& answers) {
    return std::any_of(answers.begin(), answers.end(), [&](const RecordedAnswer& one) { return one.question == id; });
}

/// Read from lesson.toml; if it is missing or unreadable, the folder's name has to do.
LessonOnPath lesson_on_path(const LessonFolder& folder, const std::vector<RecordedAnswer>& answers) {
    LessonOnPath found{.name = folder.name(), .title = title_of_lesson(folder.name())};
    try {
        const Lesson lesson = read_lesson(folder);
        found.title = lesson.title;
        const auto answered = [&](const Question& one) { return is_answered(lesson.full_id(one), answers); };
        const std::vector<Question> own = lesson.sitting(false).questions;
        found.questions = static_cast<int>(own.size());
        found.answered = static_cast<int>(std::count_if(own.begin(), own.end(), answered));
        if (!lesson.breather) return found;
        const std::vector<Question> mixed = lesson.sitting(true).questions;
        found.breather_minutes = lesson.breather->minutes;
        found.breather_done = std::all_of(mixed.begin(), mixed.end(), answered);
    } catch (const ManifestError&) {}
    return found;
}

int sum(const std::vector<ExerciseOnPath>& exercises, int (*of)(const ExerciseOnPath&)) {
    int total = 0;
    for (const ExerciseOnPath& one : exercises) total += one.bonus ? 0 : of(one);
    return total;
}

ExerciseOnPath on_path(const Kit& kit, const ExerciseFolder& folder, const Progress::Records& records) {
    ExerciseOnPath exercise{.folder = folder, .title = {}, .lesson = {}, .problem = {}, .progress = {}};
    if (const auto record = records.find(folder.name); record != records.end()) exercise.progress = record->second;
    try {
        const Manifest manifest = read_manifest(folder.path);
        exercise.title = manifest.title;
        exercise.lesson = manifest.lesson;
        exercise.minutes = manifest.minutes;
        exercise.bonus = manifest.bonus;
        exercise.begun = is_begun(kit, manifest);
        for (const Task& task : manifest.tasks) {
            exercise.max_points += task.points;
            exercise.max_stars += task.star ? 1 : 0;
            exercise.stars += task.star && exercise.progress.stars.contains(task.id) ? 1 : 0;
        }
        exercise.progress.points = std::min(exercise.progress.points, exercise.max_points);
        // Kits before format 2 of the progress file recorded no points.
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
    return max_stars == 0 ? "" : fmt::format("{} of {}", stars, plural(max_stars, "star"));
}

std::string short_title(const LessonOnPath& lesson, std::size_t max_length) {
    return characters(lesson.title) > max_length ? lesson.title.substr(0, lesson.title.find(':')) : lesson.title;
}

bool is_begun(const Kit& kit, const Manifest& manifest) {
    const std::filesystem::path folder = kit.work(manifest.folder);
    if (!std::filesystem::is_directory(folder)) return false;
    try {
        return !collect(manifest, folder, kit.root).not_started;
    } catch (const CollectError&) {
        return true;
    }
}

std::string title_of_lesson(const std::string& name) {
    std::string title = is_lesson_name(name) ? name.substr(3) : name;
    std::replace(title.begin(), title.end(), '-', ' ');
    if (!title.empty() && title[0] >= 'a' && title[0] <= 'z') title[0] = static_cast<char>(title[0] - 'a' + 'A');
    return title;
}

namespace {

/// Where lessons stand in the order in which they are read.
class LessonOrder {
public:
    explicit LessonOrder(const Kit& kit) {
        try {
            for (const LessonFolder& folder : lesson_folders(kit.root)) places_[folder.name()] = folder.place;
        } catch (const ManifestError&) {}   // a misnamed folder: `course dev check` reports it
    }

    /// A lesson without a folder stands behind all that have smaller numbers; exercises without one come last.
    [[nodiscard]] std::pair<int, std::string> key(const std::string& name) const {
        if (name.empty()) return {std::numeric_limits<int>::max(), ""};
        if (const auto found = places_.find(name); found != places_.end()) return {found->second, ""};
        int place = 0;
        for (const auto& [other, at] : places_)
            if (other < name) place = std::max(place, at);
        return {place, name};
    }

private:
    std::map<std::string, int> places_;
};

}  // namespace

std::vector<LessonOnPath> course_path(const Kit& kit) {
    const Progress::Records records = Progress(kit.root / "work").read();
    const std::vector<RecordedAnswer> answers = Answers(kit.root / "work").read();
    std::map<std::string, LessonOnPath> lessons;  // by name, which begins with the number
    try {
        for (const LessonFolder& folder : lesson_folders(kit.root))
            lessons[folder.name()] = lesson_on_path(folder, answers);
    } catch (const ManifestError&) {}   // a misnamed folder: `course dev check` reports it
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        ExerciseOnPath exercise = on_path(kit, folder, records);
        lessons[exercise.lesson].exercises.push_back(std::move(exercise));
    }
    std::vector<LessonOnPath> path;
    for (auto& [name, lesson] : lessons) {
        lesson.name = name;
        if (lesson.title.empty()) lesson.title = name.empty() ? "Not readable" : title_of_lesson(name);
        path.push_back(std::move(lesson));
    }
    const LessonOrder order(kit);
    std::stable_sort(path.begin(), path.end(), [&](const LessonOnPath& one, const LessonOnPath& other) {
        return order.key(one.name) < order.key(other.name);
    });
    return path;
}

namespace {

// An unusable manifest is reported where it is needed.
std::string lesson_of(const ExerciseFolder& folder) {
    try {
        return read_manifest(folder.path).lesson;
    } catch (const ManifestError&) {
        return "";
    }
}

bool is_bonus(const ExerciseFolder& folder) {
    try {
        return read_manifest(folder.path).bonus;
    } catch (const ManifestError&) {
        return false;
    }
}

}  // namespace

std::vector<ExerciseFolder> exercises_in_order(const Kit& kit) {
    const LessonOrder order(kit);
    std::vector<std::pair<std::pair<int, std::string>, ExerciseFolder>> keyed;
    for (const ExerciseFolder& folder : exercise_folders(kit.root))
        keyed.emplace_back(order.key(lesson_of(folder)), folder);
    std::stable_sort(keyed.begin(), keyed.end(), [](const auto& one, const auto& other) {
        return one.first < other.first;
    });
    std::vector<ExerciseFolder> folders;
    for (auto& [key, folder] : keyed) folders.push_back(std::move(folder));
    return folders;
}

std::optional<NextExercise> next_exercise(const Kit& kit, const Progress::Records& records, int number) {
    std::vector<ExerciseFolder> folders = exercises_in_order(kit);
    const auto current = std::find_if(folders.begin(), folders.end(),
                                      [&](const ExerciseFolder& folder) { return folder.number == number; });
    if (current != folders.end()) std::rotate(folders.begin(), current + 1, folders.end());  // it comes last now
    std::optional<NextExercise> bonus;
    for (const ExerciseFolder& folder : folders) {
        const auto record = records.find(folder.name);
        if (folder.number == number || (record != records.end() && record->second.passed)) continue;
        if (!is_bonus(folder)) return NextExercise{folder, false};
        if (!bonus) bonus = NextExercise{folder, true};
    }
    return bonus;
}

namespace {

/// What is known about a question.
struct Standing {
    bool asked = false, wrong = false;
    int streak = 0;         ///< right answers since the last wrong one
    long day = 0;           ///< of the last answer
    std::size_t since = 0;  ///< answers to other questions since then
};

constexpr std::array<double, 4> days_of_streak = {3, 7, 16, 35};
constexpr std::size_t others_before_a_wrong_one = 2;

Standing standing_of(const std::string& id, const std::vector<RecordedAnswer>& answers) {
    Standing standing;
    for (const RecordedAnswer& answer : answers) {
        if (answer.question != id) {
            ++standing.since;
            continue;
        }
        standing.asked = true;
        standing.wrong = !answer.right;
        standing.streak = answer.right ? standing.streak + 1 : 0;
        standing.day = day_of(answer.date);
        standing.since = 0;
    }
    return standing;
}

/// 1 or more: it should come back. The larger, the sooner.
double urgency(const Standing& standing, long today) {
    const auto days = static_cast<double>(std::max(0L, today - standing.day));
    if (standing.wrong) {
        const bool is_due = days >= 1 || standing.since >= others_before_a_wrong_one;
        return is_due ? 1000 + days : 0.99;
    }
    const auto last = static_cast<int>(days_of_streak.size()) - 1;
    return days / days_of_streak.at(static_cast<std::size_t>(std::clamp(standing.streak - 1, 0, last)));
}

/// Which of the questions that it is given comes next.
class NextQuestion {
public:
    void take(std::size_t which, const Standing& standing, long today) {
        if (!standing.asked) {
            if (!first_new_) first_new_ = which;
        } else if (const double urgent = urgency(standing, today); urgent > max_urgency_) {
            max_urgency_ = urgent;
            most_urgent_ = which;
        }
    }
    [[nodiscard]] bool is_due() const { return first_new_ || max_urgency_ >= 1; }
    [[nodiscard]] std::optional<std::size_t> question() const {
        return first_new_ && max_urgency_ < 1 ? first_new_ : most_urgent_;
    }

private:
    std::optional<std::size_t> most_urgent_, first_new_;
    double max_urgency_ = -1;
};

}  // namespace

std::optional<std::size_t> next_question(const std::vector<std::string>& ids,
                                         const std::vector<RecordedAnswer>& answers, long today,
                                         const std::set<std::string>& own) {
    const std::string last = answers.empty() ? "" : answers.back().question;
    NextQuestion of_own, of_all;
    for (std::size_t k = 0; k < ids.size(); ++k) {
        if (ids[k] == last && ids.size() > 1) continue;
        const Standing standing = standing_of(ids[k], answers);
        of_all.take(k, standing, today);
        if (own.contains(ids[k])) of_own.take(k, standing, today);
    }
    return of_own.is_due() ? of_own.question() : of_all.question();
}

}  // namespace course
