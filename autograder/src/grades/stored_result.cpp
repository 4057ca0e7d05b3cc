// SPDX-License-Identifier: MIT
#include "grades/stored_result.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "grades/read_json.hpp"

namespace course {

namespace {

constexpr std::array<std::string_view, 13> verdicts = {
    "passed",           "noisy",       "review",     "wrong",     "not as asked",
    "over budget",      "too slow",    "crashed",    "timed out", "out of memory",
    "does not compile", "not started", "environment"};

constexpr int most_points = 1'000'000;
constexpr int most_tags = 99;

/// What a result.json has most of, and nobody needs here.
const std::vector<std::string_view> not_needed = {"work",   "lines",  "kernels", "counts",     "checked_counts",
                                                  "shapes", "images", "printed", "properties", "warnings"};

std::string verdict(const JsonObject& json) {
    std::string status = json.text("status");
    if (!is_verdict(status)) json.fail("status", "a verdict");
    return status;
}

StoredFinding finding(const JsonObject& json) {
    return {.kind = json.text("kind"),
            .file = json.text("file"),
            .what = json.text("what"),
            .advice = json.text("advice"),
            .line = json.integer("line", 0, 1'000'000),
            .rule = json.integer("rule", 0, 99)};
}

StoredSpeed speed(const JsonObject& json) {
    return {.speedup = json.number("speedup"),
            .at_least = json.number("at_least"),
            .copy_percent = json.number("copy_percent"),
            .seconds = json.number("seconds"),
            .bytes = json.number("bytes"),
            .pairs = json.integer("pairs", 0, 1'000'000),
            .graded = json.boolean("graded"),
            .implausible = json.boolean("implausible")};
}

std::string difference_text(const JsonObject& json) {
    const std::string pattern = json.text("pattern");
    return fmt::format("{}: got {}, want {}{}{}", json.text("where"), json.text("got"), json.text("want"),
                       pattern.empty() ? "" : "; ", pattern);
}

void first_wrong_case(const JsonObject& json, StoredTask& task) {
    for (const JsonObject& one : json.objects("cases")) {
        const std::string status = verdict(one);
        if (status == "passed" || !task.case_name.empty()) continue;
        task.case_name = one.text("name");
        task.case_text = one.has("difference") ? difference_text(one.object("difference")) : one.text("message");
    }
}

std::string text_of_budget(const JsonObject& json) {
    const std::string cause = json.text("cause");
    if (!json.text("kernel").empty() && !cause.empty()) return cause;  // a whole sentence
    return fmt::format("{}: {:.6g} counted{}{} ({}){}{}", json.text("counter"), json.number("counted"),
                       json.has("at_least") ? fmt::format(", at least {:.6g}", json.number("at_least")) : "",
                       json.has("at_most") ? fmt::format(", at most {:.6g}", json.number("at_most")) : "",
                       json.text("case"), cause.empty() ? "" : "\n", cause);
}

/// As the screen says it: how many are right, and the first that isn't.
std::string text_of_predictions(const JsonObject& json) {
    constexpr int most = 1'000'000;
    const int right = json.integer("right", 0, most), at_least = json.integer("at_least", 0, most);
    if (right >= at_least) return "";
    std::string text = fmt::format("predictions right: {} of {}, at least {} must be", right,
                                   json.integer("total", 0, most), at_least);
    for (const JsonObject& one : json.objects("wrong")) {
        if (one.text_or_empty("predicted").empty()) continue;  // not predicted yet
        return text + fmt::format("\nprediction {}, {}: predicted {}, the run shows {}", one.integer("number", 0, most),
                                  one.text("what"), one.text("predicted"), one.text("shown"));
    }
    return text;
}

StoredTask read_task(const JsonObject& json) {
    StoredTask task{.id = json.text("id"),
                    .title = json.text("title"),
                    .status = verdict(json),
                    .message = json.text("message"),
                    .points = 0,
                    .max_points = json.integer("max_points", 0, most_points),
                    .star = json.boolean("star")};
    task.points = json.integer("points", 0, task.max_points);
    for (const nlohmann::json& tag : json.list("tags")) {
        if (!tag.is_number_unsigned() || tag.get<std::uint64_t>() > most_tags) json.fail("tags", "a list of numbers");
        task.tags.push_back(tag.get<int>());
    }
    if (json.has("check"))
        for (const JsonObject& one : json.object("check").objects("found")) task.found.push_back(finding(one));
    const JsonObject measured = json.object("measurements");
    if (measured.has("speed")) task.speed = speed(measured.object("speed"));
    // An answer that crashed counts nothing, which isn't what is wrong with it.
    const bool by_budget = task.status == "over budget" || task.status == "not as asked";
    for (const JsonObject& budget : measured.objects("budgets"))
        if (!budget.boolean("kept") && task.budget_text.empty() && by_budget) task.budget_text = text_of_budget(budget);
    first_wrong_case(json, task);
    if (task.message.empty() && task.status == "wrong" && json.has("predictions"))
        task.message = text_of_predictions(json.object("predictions"));
    return task;
}

StoredHidden read_hidden(const JsonObject& json) {
    StoredHidden hidden{.id = json.text("id"), .status = verdict(json), .shown_status = json.text("shown_status")};
    if (!is_verdict(hidden.shown_status)) json.fail("shown_status", "a verdict");
    hidden.total = json.integer("total", 0, 1'000'000);
    hidden.passed = json.integer("passed", 0, hidden.total);
    return hidden;
}

StoredExercise read_exercise(const JsonObject& json) {
    if (json.integer("schema", 1, 1000) > 5) json.fail("schema", "5 or less: a newer kit wrote it");
    StoredExercise read;
    read.number = json.integer("number", 1, 99);
    read.exercise = json.text("exercise");
    read.title = json.text("title");
    read.status = verdict(json);
    read.message = json.text("message");
    read.max_points = json.integer("max_points", 0, most_points);
    read.points = json.integer("points", 0, read.max_points);
    read.stars = json.integer("stars", 0, most_points);
    int points = 0;
    for (const JsonObject& one : json.objects("tasks")) {
        read.tasks.push_back(read_task(one));
        points += read.tasks.back().points;
    }
    if (points != read.points) json.fail("points", fmt::format("{}, as the tasks have", points));
    const JsonObject environment = json.object("environment");
    read.backend = environment.text("backend");
    read.device = environment.text("device");
    read.compiler = environment.text("compiler");
    read.kit_version = environment.text("kit_version");
    read.machine = environment.text("machine");
    read.sandbox = environment.texts("sandbox");
    read.seconds = json.number("seconds");
    return read;
}

}  // namespace

bool is_verdict(std::string_view status) {
    return std::find(verdicts.begin(), verdicts.end(), status) != verdicts.end();
}

const std::string& StoredExercise::message_of(const StoredTask& task) const {
    const bool is_silent = task.message.empty() && task.case_name.empty() && task.budget_text.empty();
    return is_silent && task.status == status ? message : task.message;
}

const StoredHidden* StoredResult::hidden_of(const StoredTask& task) const {
    const auto at =
        std::find_if(hidden.begin(), hidden.end(), [&](const StoredHidden& one) { return one.id == task.id; });
    return at == hidden.end() ? nullptr : &*at;
}

StoredExercise read_result_json(std::string_view text) {
    const nlohmann::json json = read_json(text, not_needed);
    return read_exercise({json, ""});
}

StoredResult read_stored_result(std::string_view text) {
    const nlohmann::json document = read_json(text, not_needed);
    const JsonObject json(document, "");
    if (json.integer("schema", 1, 1000) != 1) json.fail("schema", "1");
    StoredResult stored{.submission = json.text("submission"),
                        .folder = json.text("folder"),
                        .key = json.text("key"),
                        .grader_fault = json.text_or_empty("grader_fault"),
                        .finished = json.text_or_empty("finished"),
                        .not_taken = json.text_or_empty("not_taken"),
                        .result = {},
                        .hidden = {}};
    if (json.has("result")) stored.result = read_exercise(json.object("result"));
    if (json.has("private"))
        for (const JsonObject& one : json.object("private").objects("tasks")) stored.hidden.push_back(read_hidden(one));
    if (!stored.result && stored.grader_fault.empty()) json.fail("result", "there, or a grader_fault");
    if (stored.result && stored.result->status == "environment" && stored.grader_fault.empty() &&
        stored.not_taken.empty())
        stored.grader_fault =
            stored.result->message.empty() ? "the machine could not judge it" : stored.result->message;
    if (stored.result && !stored.not_taken.empty()) {
        stored.result->status = not_taken_status;
        for (StoredTask& task : stored.result->tasks) {
            task.status = not_taken_status;
            task.message = stored.not_taken;
        }
    }
    return stored;
}

}  // namespace course
