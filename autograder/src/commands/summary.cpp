// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "manifest/manifest.hpp"
#include "progress/course_path.hpp"
#include "progress/misconceptions.hpp"
#include "progress/submission.hpp"
#include "report/terminal.hpp"

namespace course {

namespace {

/// Totals over exercises; bonus exercises are counted separately.
struct Total {
    int exercises = 0, passed = 0, points = 0, max_points = 0, stars = 0, max_stars = 0, hints = 0, attempts = 0;
    std::map<int, int> met;

    void add(const ExerciseOnPath& exercise) {
        const ExerciseProgress& progress = exercise.progress;
        ++exercises;
        passed += progress.passed ? 1 : 0;
        points += progress.points;
        max_points += exercise.max_points;
        stars += exercise.stars;
        max_stars += exercise.max_stars;
        hints += progress.hints_used;
        attempts += progress.attempts;
        for (const auto& [which, times] : progress.met) met[which] += times;
    }
};

std::string line(const ExerciseOnPath& exercise, const Style& style) {
    const ExerciseProgress& progress = exercise.progress;
    const std::string state = fmt::format("{:<6}", progress.passed ? "passed" : progress.attempts > 0 ? "open" : "");
    std::string text = fmt::format("{:>3}  {:<20} {}  {:>7}  {:>5}  {:>8}  {}", exercise.folder.number,
                                   exercise.folder.name, progress.passed ? style.good(state) : state,
                                   fmt::format("{}/{}", progress.points, exercise.max_points), progress.hints_used,
                                   progress.attempts, progress.first_pass.substr(0, 10));
    text.erase(text.find_last_not_of(' ') + 1);
    if (exercise.max_stars > 0) text += "   " + stars_text(exercise.stars, exercise.max_stars);
    return text + "\n";
}

/// What is believed, and below it the fact.
std::string in_words(const Misconception& one) {
    return one.sentence.empty() ? one.name + "\n" : fmt::format("\"{}\"\n    {}\n", one.name, one.sentence);
}

/// The misconceptions met, with their counts; empty if there are none.
std::string met_text(const std::map<int, int>& met, const MisconceptionWords& words) {
    std::string text;
    for (const auto& [which, times] : met)
        text += fmt::format("  {}: {}", times_text(times), in_words(words.of(which)));
    return text.empty() ? "" : "Misconceptions met, in verdicts and answers to questions:\n" + text;
}

/// The misconceptions behind wrong answers to the lessons' questions.
std::map<int, int> met_in_questions(const Kit& kit) {
    std::map<int, int> met;
    for (const RecordedAnswer& answer : Answers(kit.root / "work").read())
        if (!answer.right && answer.tag > 0) ++met[answer.tag];
    return met;
}

nlohmann::json met_json(const std::map<int, int>& met) {
    nlohmann::json list = nlohmann::json::object();
    for (const auto& [which, times] : met) list[std::to_string(which)] = times;
    return list;
}

nlohmann::json total_json(const Total& total) {
    return {{"exercises", total.exercises},
            {"passed", total.passed},
            {"points", total.points},
            {"max_points", total.max_points},
            {"stars", total.stars},
            {"max_stars", total.max_stars},
            {"hints", total.hints},
            {"attempts", total.attempts},
            {"met", met_json(total.met)}};
}

std::string total_line(const char* name, const Total& total) {
    return fmt::format("     {:<20} {:<6}  {:>7}  {:>5}  {:>8}\n", name,
                       fmt::format("{}/{}", total.passed, total.exercises),
                       fmt::format("{}/{}", total.points, total.max_points), total.hints, total.attempts);
}

std::string as_json(const std::vector<LessonOnPath>& path, const Total& total, const Total& bonus,
                    const std::map<int, int>& asked) {
    nlohmann::json all_of_them = total_json(total);
    all_of_them["met_in_questions"] = met_json(asked);
    nlohmann::json exercises = nlohmann::json::array();
    for (const LessonOnPath& lesson : path)
        for (const ExerciseOnPath& one : lesson.exercises) {
            const ExerciseProgress& progress = one.progress;
            exercises.push_back({{"number", one.folder.number},
                                 {"name", one.folder.name},
                                 {"title", one.title},
                                 {"lesson", lesson.name},
                                 {"bonus", one.bonus},
                                 {"passed", progress.passed},
                                 {"points", progress.points},
                                 {"max_points", one.max_points},
                                 {"stars", one.stars},
                                 {"max_stars", one.max_stars},
                                 {"hints", progress.hints_used},
                                 {"attempts", progress.attempts},
                                 {"first_pass", progress.first_pass},
                                 {"last_verdict", progress.last_verdict},
                                 {"met", met_json(progress.met)}});
        }
    const nlohmann::json all = {{"schema", "course summary"},
                                {"version", 1},
                                {"exercises", exercises},
                                {"total", all_of_them},
                                {"bonus", total_json(bonus)}};
    return all.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int summary_command(const Kit& kit, bool json) {
    const std::vector<LessonOnPath> path = course_path(kit);
    const Style style = Style::of_descriptor(STDOUT_FILENO);
    Total total, bonus;
    std::string text = " No  exercise             state    points  hints  attempts  first passed\n";
    for (const LessonOnPath& lesson : path)
        for (const ExerciseOnPath& one : lesson.exercises) {
            (one.bonus ? bonus : total).add(one);
            text += line(one, style);
        }
    if (json) {
        print(as_json(path, total, bonus, met_in_questions(kit)));
        return 0;
    }
    text += total_line("all", total);
    if (bonus.exercises > 0) text += total_line("bonus", bonus);
    if (const int stars = total.max_stars + bonus.max_stars; stars > 0)
        text += fmt::format("Stars: {} of {}\n", total.stars + bonus.stars, stars);
    std::map<int, int> met = total.met;
    for (const auto& [which, times] : bonus.met) met[which] += times;
    for (const auto& [which, times] : met_in_questions(kit)) met[which] += times;
    print(text + met_text(met, MisconceptionWords(kit.root)));
    return 0;
}

}  // namespace

void add_summary(CommandLine& line) {
    auto [command, json] = line.add("summary", "points, stars, hints and attempts of each exercise", summary_command);
    command.option("--json", &json, "as JSON");
}

}  // namespace course
