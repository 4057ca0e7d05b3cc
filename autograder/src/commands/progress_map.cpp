// SPDX-License-Identifier: MIT
#include "commands/progress_map.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "progress/course_path.hpp"
#include "progress/misconceptions.hpp"
#include "progress/progress.hpp"
#include "progress/submission.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::size_t columns = 80;

/// Where the student stands with a lesson or an exercise, as the map's letter.
enum class Standing : char { passed = '#', begun = '+', next = '>', to_come = '.' };

std::string mark(Standing standing, const Style& style) {
    const std::string letter(1, static_cast<char>(standing));
    switch (standing) {
        case Standing::passed: return style.good(letter);
        case Standing::begun: return style.warn(letter);
        case Standing::next: return style.bold(letter);
        default: return letter;
    }
}

Standing standing_of(const ExerciseOnPath& exercise, int next) {
    if (exercise.progress.passed) return Standing::passed;
    if (exercise.folder.number == next) return Standing::next;
    return exercise.begun || exercise.progress.attempts > 0 ? Standing::begun : Standing::to_come;
}

Standing standing_of(const LessonOnPath& lesson) {
    const bool is_done = lesson.exercises.empty() ? lesson.questions > 0 && lesson.answered == lesson.questions
                                                  : lesson.passed() == lesson.required();
    if (is_done) return Standing::passed;
    const bool is_begun = std::any_of(lesson.exercises.begin(), lesson.exercises.end(), [](const ExerciseOnPath& one) {
        return one.begun || one.progress.passed || one.progress.attempts > 0;
    });
    return is_begun || lesson.answered > 0 ? Standing::begun : Standing::to_come;
}

/// The exercises of a lesson below it, as many on a line as fit.
std::string exercises_text(const LessonOnPath& lesson, int next, const Style& style) {
    const std::string beginning = "  |        ";
    std::string text;
    std::size_t used = columns;   // of the line, without colours
    for (const ExerciseOnPath& one : lesson.exercises) {
        const std::string name = fmt::format("{} {}{}", one.folder.number, one.folder.name,
                                             one.bonus ? " (bonus)" : "");
        const std::size_t width = 3 + 2 + name.size();
        if (used + width > columns) {
            text += (text.empty() ? "" : "\n") + beginning;
            used = beginning.size();
        }
        text += "   " + mark(standing_of(one, next), style) + " " + name;
        used += width;
    }
    return text.empty() ? "" : text + "\n";
}

std::string lesson_text(const LessonOnPath& lesson, int next, const Style& style) {
    constexpr std::size_t max_title = 45;
    const std::string title = short_title(lesson, max_title);
    std::string line = "  " + mark(standing_of(lesson), style) + "  ";
    if (lesson.name.empty()) {
        line += title;
    } else {
        line += fmt::format("lesson {:>2}  {:<{}}", lesson.number(), title, max_title);
        if (lesson.questions > 0) line += fmt::format("  {:>2} of {:>2} answered", lesson.answered, lesson.questions);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::string text = line + "\n" + exercises_text(lesson, next, style);
    if (lesson.breather_minutes > 0)
        text += fmt::format("  {}  breather: make breather-{}\n",
                            mark(lesson.breather_done ? Standing::passed : Standing::to_come, style), lesson.number());
    return text;
}

/// What mends it.
std::string cure_of(const MetMisconception& met) {
    if (met.open_exercises.empty()) return "answer a question about it right: make quiz or its lesson asks one";
    return fmt::format("pass exercise{} {}{}", met.open_exercises.size() == 1 ? "" : "s",
                       fmt::join(met.open_exercises, ", "),
                       met.has_question ? ", then answer a question about it on a later day (make quiz)" : "");
}

std::string misconceptions_text(const std::map<int, MetMisconception>& met, const MisconceptionWords& words,
                                const Style& style) {
    std::string open, mended;
    for (const auto& [number, one] : met) {
        const Misconception what = words.of(number);
        if (one.mended()) {
            mended += wrapped(fmt::format("\"{}\", met {}", what.name, times_text(one.times())), 4, columns);
            continue;
        }
        open += wrapped(fmt::format("\"{}\", met {}", what.name, times_text(one.times())), 4, columns);
        if (!what.sentence.empty()) open += wrapped("In fact: " + what.sentence, 6, columns);
        open += wrapped("To mend it: " + cure_of(one), 6, columns);
    }
    if (met.empty()) return "Misconceptions: none met so far.\n";
    std::string text;
    if (!open.empty()) text += style.bold("Misconceptions to mend") + "\n" + open;
    if (!mended.empty()) text += style.bold("Misconceptions mended") + "\n" + mended;
    return text;
}

/// A line for each folder of capstone/; there is one at most.
std::string capstone_text(const Kit& kit, const Style& style) {
    std::string text;
    std::error_code error;
    for (const auto& folder : std::filesystem::directory_iterator(kit.root / "capstone", error)) {
        if (!std::filesystem::is_regular_file(folder.path() / "capstone.toml", error)) continue;
        const bool is_begun = std::filesystem::is_directory(kit.work(folder.path()), error);
        text += fmt::format("  {}  capstone: make log\n",
                            mark(is_begun ? Standing::begun : Standing::to_come, style));
    }
    return text;
}

}  // namespace

std::string progress_map(const Kit& kit, const Style& style) {
    const std::vector<LessonOnPath> path = course_path(kit);
    const auto next = next_exercise(kit, Progress(kit.root / "work").read(), 0);
    std::string text = fmt::format("{}  {}\n\n  # passed   + begun   > next   . to come\n\n", style.bold("GPU course"),
                                   progress_bar(path));
    for (const LessonOnPath& lesson : path) text += lesson_text(lesson, next ? next->number : 0, style);
    text += capstone_text(kit, style);
    const std::map<int, MetMisconception> met =
        met_misconceptions(path, readable_lessons(kit.root), Answers(kit.root / "work").read());
    return text + "\n" + misconceptions_text(met, MisconceptionWords(kit.root), style);
}

}  // namespace course
