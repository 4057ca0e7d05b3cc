// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "answer/judge_answer.hpp"
#include "collect/collect.hpp"
#include "commands/commands.hpp"
#include "kit/work_folder.hpp"
#include "progress/course_path.hpp"
#include "progress/progress.hpp"
#include "report/terminal.hpp"
#include "support/files.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::string_view all_passed =
    "  All exercises of this edition are passed. Well done!\n"
    "  What it took: make summary. To hand it in: make submit.\n";

std::string current_exercise(const Kit& kit, const Manifest& manifest, const ExerciseProgress& record) {
    std::string made, text;
    try {
        if (make_work_folder(kit, manifest)) made = "  (new)";
    } catch (const FileError& error) {
        made = fmt::format("\n         {}", error.what());
    }
    std::vector<std::string> files;
    for (const std::string& name : manifest.edit)
        files.push_back(shown_path(kit.work(manifest.folder) / name, kit.root));
    if (manifest.bonus) text += std::string(all_passed) + "\n";
    text += fmt::format("  {:<6} exercise {}, {}: {} (about {})\n", manifest.bonus ? "Bonus:" : "Now:",
                        manifest.number, manifest.name, manifest.title, plural(manifest.minutes, "minute"));
    text += fmt::format("  Goal:  {}\n", manifest.objective);
    const fs::path lesson = kit.root / "lessons" / manifest.lesson;
    std::error_code error;
    if (fs::is_regular_file(lesson / "README.md", error))
        text += fmt::format("  Learn: {}\n", shown_path(lesson / "README.md", kit.root));
    if (const int number = LessonOnPath{.name = manifest.lesson}.number();
        number > 0 && fs::is_regular_file(lesson / "lesson.toml", error))
        text += fmt::format("         make lesson-{} runs its programs\n", number);
    text += fmt::format("  Read:  {}\n", shown_path(manifest.folder / "README.md", kit.root));
    text += fmt::format("  Edit:  {}{}\n", fmt::join(files, " "), made);
    text += fmt::format("  Check: make exercise-{}\n", manifest.number);
    return text + fmt::format("  Stuck: make hint-{} ({}/3 used)\n", manifest.number, record.hints_used);
}

/// "exercise 3", "exercises 3, 4".
std::string numbers_of(const LessonOnPath& lesson) {
    if (lesson.exercises.empty()) return "";
    std::vector<int> numbers;
    for (const ExerciseOnPath& one : lesson.exercises) numbers.push_back(one.folder.number);
    return fmt::format("exercise{} {}", numbers.size() == 1 ? "" : "s", fmt::join(numbers, ", "));
}

/// "12-15, 22", for a narrow terminal.
std::string ranges_of(const LessonOnPath& lesson) {
    std::string text;
    for (std::size_t first = 0, last = 0; first < lesson.exercises.size(); first = ++last) {
        const auto number = [&](std::size_t k) { return lesson.exercises[k].folder.number; };
        while (last + 1 < lesson.exercises.size() && number(last + 1) == number(last) + 1) ++last;
        text += (text.empty() ? "" : ", ") + std::to_string(number(first));
        if (last > first) text += (last == first + 1 ? ", " : "-") + std::to_string(number(last));
    }
    return text;
}

/// The lesson on a line of 80 columns: if the title is too long, without the part after a colon.
std::string narrow_line(const LessonOnPath& lesson, const std::string& mark, const std::string& number) {
    constexpr std::size_t max_length = 45;
    const std::string title = short_title(lesson, max_length);
    std::string line =
        fmt::format(" {}  lesson {:>2}  {:<{}}  {:<9}", mark, number, title, max_length, ranges_of(lesson));
    if (lesson.max_points() > 0) line += fmt::format(" {:>2}/{}", lesson.points(), lesson.max_points());
    return line;
}

/// A line for an exercise of the student's current lesson.
std::string exercise_line(const ExerciseOnPath& exercise, const Style& style) {
    const ExerciseProgress& progress = exercise.progress;
    const std::string state = fmt::format("{:<6}", progress.passed ? "passed" : "open");
    const std::string points = fmt::format("{:>2} of {:>2} points", progress.points, exercise.max_points);
    std::string line = fmt::format("          exercise {:>2}  {:<20} {}  {}", exercise.folder.number,
                                   exercise.folder.name, progress.passed ? style.good(state) : state,
                                   exercise.problem.empty() ? points : exercise.problem);
    if (exercise.bonus) line += ", bonus";
    if (exercise.max_stars > 0) line += ", " + stars_text(exercise.stars, exercise.max_stars);
    if (progress.attempts > 0) line += ", " + plural(progress.attempts, "attempt");
    if (progress.hints_used > 0) line += ", " + plural(progress.hints_used, "hint");
    return line + "\n";
}

/// A line for the mixed problems after a lesson: the next step once its exercises are passed.
std::string breather_line(const LessonOnPath& lesson, bool is_next, bool is_narrow, const Style& style) {
    const std::string mark = lesson.breather_done ? style.good("done") : is_next ? "   >" : "    ";
    const std::string what = fmt::format("mixed problems, nothing new, about {} minutes", lesson.breather_minutes);
    return fmt::format("{}{}  breather   {:<{}}  make breather-{}\n", is_narrow ? " " : "  ", mark, what,
                       is_narrow ? 45 : 48, lesson.number());
}

/// The lessons, one line each, and the exercises of the one that contains exercise `now`.
std::string path_text(const std::vector<LessonOnPath>& path, int now, const Style& style) {
    constexpr std::size_t max_width = 117;   // of a lesson with a long title
    const bool is_narrow = text_columns(max_width) < max_width;
    std::string text = is_narrow ? fmt::format("{:>66}  points\n", "exercises") : "";
    for (const LessonOnPath& lesson : path) {
        const bool is_done = !lesson.exercises.empty() && lesson.passed() == lesson.required();
        const bool is_here = std::any_of(lesson.exercises.begin(), lesson.exercises.end(),
                                         [&](const ExerciseOnPath& one) { return one.folder.number == now; });
        const std::string mark = is_done ? style.good("done") : is_here ? "   >" : "    ";
        const std::string number = lesson.name.empty() ? "" : std::to_string(lesson.number());
        std::string line =
            is_narrow ? narrow_line(lesson, mark, number)
                      : fmt::format("  {}  lesson {:>2}  {:<48}  {:<18}", mark, number, lesson.title,
                                    numbers_of(lesson));
        if (lesson.max_points() > 0 && !is_narrow)
            line += fmt::format(" {:>2} of {:>2} points", lesson.points(), lesson.max_points());
        if (lesson.max_stars() > 0 && !is_narrow) line += ", " + stars_text(lesson.stars(), lesson.max_stars());
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        if (is_here && lesson.exercises.size() > 1)
            for (const ExerciseOnPath& one : lesson.exercises) text += exercise_line(one, style);
        if (lesson.breather_minutes > 0) text += breather_line(lesson, is_done, is_narrow, style);
    }
    return text;
}

int status_command(const Kit& kit) {
    const std::vector<LessonOnPath> path = course_path(kit);
    const Progress::Records records = Progress(kit.root / "work").read();
    const auto next = next_exercise(kit, records, 0);
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    int all = 0, points = 0, max_points = 0, stars = 0, max_stars = 0, bonus = 0, bonus_passed = 0;
    for (const LessonOnPath& lesson : path) {
        all += lesson.required();
        points += lesson.points();
        max_points += lesson.max_points();
        stars += lesson.stars();
        max_stars += lesson.max_stars();
        for (const ExerciseOnPath& one : lesson.exercises) {
            bonus += one.bonus ? 1 : 0;
            bonus_passed += one.bonus && one.progress.passed ? 1 : 0;
        }
    }
    std::string text = fmt::format("{}  {}, {} of {} points", style.bold("GPU course"), progress_bar(path), points,
                                   max_points);
    if (max_stars > 0) text += ", " + stars_text(stars, max_stars);
    if (bonus > 0) text += fmt::format(", bonus: {} of {}", bonus_passed, bonus);
    text += "\n\n";
    text += path_text(path, next ? next->number : 0, style) + "\n";
    if (!next) {
        text += all == 0 ? "  This edition has no exercises.\n" : all_passed;
        std::error_code error;
        if (fs::is_directory(kit.root / "capstone", error)) text += "  What is left: the capstone, make log.\n";
    } else {
        const auto record = records.find(next->name);
        text += current_exercise(kit, read_manifest(next->path),
                                 record == records.end() ? ExerciseProgress() : record->second);
    }
    refresh_editor_files(kit);
    print(text + "\nAlso: make watch (judges when you save), make list (all exercises), make help (all commands)\n");
    return 0;
}

}  // namespace

void add_status(CommandLine& line) {
    line.add("status", "where am I, and what comes next (the default)", status_command);
    line.act_by_default(status_command);
}

int list_command(const Kit& kit) {
    Progress::Records records = Progress(kit.root / "work").read();
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    std::string text;
    int code = 0;
    for (const ExerciseFolder& folder : exercise_folders(kit.root)) {
        const bool passed = records[folder.name].passed;
        std::string title;
        int minutes = 0;
        bool begun = false;
        try {
            const Manifest manifest = read_manifest(folder.path);
            begun = is_begun(kit, manifest);
            title = manifest.title + (manifest.bonus ? " (bonus)" : "");
            minutes = manifest.minutes;
        } catch (const ManifestError& error) {
            title = error.what();
            code = 4;
        }
        const std::string state = fmt::format("{:<7}", passed ? "passed" : begun ? "begun" : "");
        constexpr std::size_t indent = 40;
        text += fmt::format("{:>3}  {}  {:<16} {:>3} min  {}", folder.number, passed ? style.good(state) : state,
                            folder.name, minutes,
                            title.empty() ? "\n" : wrapped(title, indent, text_columns(500)).substr(indent));
    }
    print(text);
    return code;
}

void add_list(CommandLine& line) { line.add("list", "all exercises", list_command); }

namespace {

/// The exercise that the tour shows: raw_add if this edition has it.
ExerciseFolder tour_exercise(const Kit& kit) {
    const std::vector<ExerciseFolder> folders = exercise_folders(kit.root);
    if (folders.empty()) throw UsageError("this edition has no exercises");
    const auto is_raw_add = [](const ExerciseFolder& folder) { return folder.name == "raw_add"; };
    const auto found = std::find_if(folders.begin(), folders.end(), is_raw_add);
    return found == folders.end() ? folders.front() : *found;
}

/// The kit itself; in an edition without solutions, one with an exercise made from the template.
Kit kit_of_tour(const Kit& kit) {
    if (kit.has_solutions()) return kit;
    Kit own = kit;
    own.root = kit.toolchain.build_dir / "tour";
    const ExerciseFolder exercise = name_exercise(own.root / "exercises" / "99-twice");
    make_from_template(kit, exercise, own.solution(exercise.path));
    return own;
}

/// Judges one answer and prints its screen below a line that introduces it; files are named relative to the folder
/// `shown_from`. True if the verdict is the expected one.
bool show(const Kit& kit, const std::filesystem::path& shown_from, const Manifest& manifest,
          const std::filesystem::path& folder, const std::string& what, std::string_view expected) {
    print(fmt::format("\n--- {}\n\n", what));
    JudgedAnswer judged = judge_answer(kit, {.manifest = manifest, .folder = folder, .options = {}});
    judged.screen.own_answer = false;
    judged.screen.readme = shown_path(kit.root / judged.screen.readme, shown_from);
    for (std::string& file : judged.screen.files) file = shown_path(kit.root / file, shown_from);
    judged.screen.style = Style::of_descriptor(STDOUT_FILENO);
    judged.screen.columns = text_columns(judged.screen.columns);
    print(verdict_screen(judged.result, judged.screen));
    const std::string_view verdict = to_string(judged.result.verdict);
    const bool passed = expected == "passed" && exit_code(judged.result.verdict) == 0;
    if (verdict == expected || passed) return true;
    print(fmt::format("\nThis should have been \"{}\". make doctor may say why it isn't.\n", expected));
    return false;
}

int tour_command(const Kit& whole) {
    const Kit kit = kit_of_tour(whole);
    const Manifest manifest = kit.manifest(tour_exercise(kit).number);
    const auto forgets_guard = [](const PlantedAnswer& answer) { return answer.name == "no-guard"; };
    const auto found = std::find_if(manifest.wrong.begin(), manifest.wrong.end(), forgets_guard);
    const PlantedAnswer& wrong = found == manifest.wrong.end() ? manifest.wrong.front() : *found;
    print(fmt::format("Exercise {}, {}, judged three ways.\n", manifest.number, manifest.title));
    if (kit.root != whole.root) print("It isn't one of the course's: this edition has no solutions to those.\n");
    const auto judged_as = [&](const std::filesystem::path& folder, const std::string& what, std::string_view verdict) {
        return show(kit, whole.root, manifest, folder, what, verdict);
    };
    bool right = judged_as(manifest.folder, "1. Blank: the files as you get them.", "not started");
    right = judged_as(manifest.folder / "wrong" / wrong.name,
                      fmt::format("2. Wrong: a planted mistake, {}.", wrong.name), wrong.verdict) && right;
    right = judged_as(kit.solution(manifest.folder), "3. Solved: the solution.", "passed") && right;
    if (!right) return 1;
    print(
        "\nAll three came out as expected: this machine is ready for the course.\n"
        "Next: make (where am I, and what comes next), or read README.md.\n");
    return 0;
}

}  // namespace

void add_tour(CommandLine& line) { line.add("tour", "see one exercise judged three ways", tour_command); }

}  // namespace course
