// SPDX-License-Identifier: MIT
#include "classroom/grades/stored_result.hpp"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "classroom/grades/read_json.hpp"
#include "kit/kit.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"

namespace course {

namespace {

constexpr std::array<std::string_view, 13> verdicts = {
    "passed",           "noisy",       "review",     "wrong",     "not as asked",
    "over budget",      "too slow",    "crashed",    "timed out", "out of memory",
    "does not compile", "not started", "environment"};

constexpr int max_points = 1'000'000;
constexpr int max_tags = 99;

/// The largest parts of a result.json, not needed here.
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

/// "exactly 2", "at most 3", "62 to 93".
std::string bounds_of(const JsonObject& json) {
    const auto bound = [&](const char* name) { return fmt::format("{:.10g}", json.number(name)); };
    if (!json.has("at_least")) return json.has("at_most") ? "at most " + bound("at_most") : "";
    if (!json.has("at_most")) return "at least " + bound("at_least");
    const std::string min = bound("at_least"), max = bound("at_most");
    return min == max ? "exactly " + min : min + " to " + max;
}

/// As the task's message says it, which has a line on each budget that isn't kept.
std::string text_of_budget(const JsonObject& json, const std::string& message) {
    const std::string cause = json.text("cause"), begin = json.text("counter") + ": ";
    if (!json.text("kernel").empty() && !cause.empty()) return cause;  // a whole sentence
    std::string statement;
    for (const std::string& line : split(message, '\n'))
        if (statement.empty() && line.starts_with(begin)) statement = line;
    if (statement.empty()) {
        const std::string bounds = bounds_of(json);
        statement = fmt::format("{}{:.10g} counted{}{} ({})", begin, json.number("counted"), bounds.empty() ? "" : ", ",
                                bounds, json.text("case"));
    }
    return statement + (cause.empty() ? "" : "\n") + cause;
}

/// As on the screen: how many are right, and the first that isn't.
std::string text_of_predictions(const JsonObject& json) {
    constexpr int max_number = 1'000'000;
    const int right = json.integer("right", 0, max_number), at_least = json.integer("at_least", 0, max_number);
    if (right >= at_least) return "";
    std::string text = fmt::format("predictions right: {} of {}, at least {} must be", right,
                                   json.integer("total", 0, max_number), at_least);
    for (const JsonObject& one : json.objects("wrong")) {
        if (one.text_or_empty("predicted").empty()) continue;  // not predicted yet
        return text + fmt::format("\nprediction {}, {}: predicted {}, the run shows {}",
                                  one.integer("number", 0, max_number), one.text("what"), one.text("predicted"),
                                  one.text("shown"));
    }
    return text;
}

StoredTask read_task(const JsonObject& json) {
    StoredTask task{.id = json.text("id"),
                    .title = json.text("title"),
                    .status = verdict(json),
                    .message = json.text("message"),
                    .points = 0,
                    .max_points = json.integer("max_points", 0, max_points),
                    .star = json.boolean("star")};
    task.points = json.integer("points", 0, task.max_points);
    for (const nlohmann::json& tag : json.list("tags")) {
        if (!tag.is_number_unsigned() || tag.get<std::uint64_t>() > max_tags) json.fail("tags", "a list of numbers");
        task.tags.push_back(tag.get<int>());
    }
    if (json.has("check"))
        for (const JsonObject& one : json.object("check").objects("found")) task.found.push_back(finding(one));
    const JsonObject measured = json.object("measurements");
    if (measured.has("speed")) task.speed = speed(measured.object("speed"));
    // An answer that crashed counts nothing, but that isn't its mistake.
    const bool by_budget = task.status == "over budget" || task.status == "not as asked";
    for (const JsonObject& budget : measured.objects("budgets"))
        if (!budget.boolean("kept") && task.budget_text.empty() && by_budget)
            task.budget_text = text_of_budget(budget, task.message);
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
    read.max_points = json.integer("max_points", 0, max_points);
    read.points = json.integer("points", 0, read.max_points);
    read.stars = json.integer("stars", 0, max_points);
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

std::vector<std::string> said_of(const StoredTask& task, const std::string& message) {
    std::vector<std::string> parts, lines;
    const std::string of_case = task.case_name.empty() ? "" : task.case_name + ": " + task.case_text;
    for (const std::string* const part : {&message, &task.budget_text, &of_case}) {
        std::string text;
        for (const std::string& line : split(*part, '\n')) {
            const bool is_said = part != &message && std::find(lines.begin(), lines.end(), line) != lines.end();
            if (!is_said) text += (text.empty() ? "" : "\n") + line;
            lines.push_back(line);
        }
        if (!text.empty()) parts.push_back(text);
    }
    return parts;
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

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t max_intake_bytes = std::size_t{256} << 20, max_result_bytes = std::size_t{16} << 20,
                      max_confirmed_bytes = std::size_t{64} << 20;

std::string read_up_to(const fs::path& path, std::size_t limit) {
    std::string text = read_file(path, limit);
    if (text.size() > limit) throw std::runtime_error(fmt::format("it has more than {} MiB", limit >> 20));
    return text;
}

/// True for the name of a file or folder that doesn't lead elsewhere.
bool is_plain_name(const std::string& name) {
    return !name.empty() && name.size() <= 200 && name[0] != '.' && name.find('/') == name.npos &&
           name.find('\0') == name.npos;
}

std::vector<Confirmation> read_confirmed(const fs::path& path) {
    std::vector<Confirmation> confirmed;
    if (!fs::exists(path)) return confirmed;
    const nlohmann::json document = read_json(read_up_to(path, max_confirmed_bytes));
    const JsonObject json(document, "");
    if (json.integer("schema", 1, 1000) != 1) json.fail("schema", "1");
    for (const JsonObject& one : json.objects("confirmed"))
        confirmed.push_back({.student = one.text("student"),
                             .submission = one.text("submission"),
                             .key = one.text("key"),
                             .because = one.text("because"),
                             .when = one.text("when"),
                             .exercise = one.integer("exercise", 1, 99),
                             .accepted = one.boolean("accepted")});
    return confirmed;
}

std::string confirmed_json(const std::vector<Confirmation>& confirmed) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Confirmation& one : confirmed)
        list.push_back({{"student", one.student},
                        {"exercise", one.exercise},
                        {"submission", one.submission},
                        {"key", one.key},
                        {"accepted", one.accepted},
                        {"because", one.because},
                        {"when", one.when}});
    const nlohmann::ordered_json json = {{"schema", 1}, {"confirmed", list}};
    return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

/// The members of grade.json that are a value or a list of values; the others concern only the batch.
std::vector<std::pair<std::string, std::string>> read_grade_json(const fs::path& path) {
    std::vector<std::pair<std::string, std::string>> values;
    if (!fs::exists(path)) return values;
    const auto text = [](const nlohmann::json& value) {
        return plain_line(value.is_string() ? value.get<std::string>() : value.dump());
    };
    const nlohmann::json json = read_json(read_up_to(path, max_result_bytes));
    for (const auto& [key, value] : json.items()) {
        if (value.is_object() || key == "schema") continue;
        std::string shown;
        if (value.is_array())
            for (const nlohmann::json& one : value) shown += (shown.empty() ? "" : ", ") + text(one);
        else
            shown = text(value);
        if (!shown.empty()) values.emplace_back(plain_line(key), shown);
    }
    return values;
}

/// A result's file: its path, its expected contents, and the outcome of reading it.
struct ToRead {
    std::string submission, folder;
    int number = 0;
    StoredResult result = {};
    std::string problem = {};
};

void read_one(const fs::path& results, ToRead& one) {
    const std::string shown = fmt::format("results/{}/{}.json", one.submission, one.folder);
    try {
        const fs::path path = results / "results" / one.submission / (one.folder + ".json");
        if (!fs::exists(path)) return;  // not graded yet: the grades report it
        one.result = read_stored_result(read_up_to(path, max_result_bytes));
        const int number = one.result.result ? one.result.result->number : one.number;
        if (one.result.submission != one.submission || one.result.folder != one.folder || number != one.number)
            throw std::runtime_error(fmt::format("it is about {}/{}", one.result.submission, one.result.folder));
    } catch (const std::exception& error) {
        one.result = {};
        one.problem = plain_line(fmt::format("{}: {}", shown, error.what()));
    }
}

}  // namespace

ClassIntake read_class_intake(const fs::path& folder) {
    const fs::path intake = folder / "intake.json";
    if (!fs::is_regular_file(intake))
        throw UsageError(fmt::format("{}: there is no intake.json; name the folder that `course grade --out` wrote. "
                                     "Shards alone don't write it: call `course grade` once more without --shard",
                                     folder.string()));
    try {
        return read_intake(read_up_to(intake, max_intake_bytes));
    } catch (const std::exception& error) {
        throw UsageError(
            fmt::format("{}: {}; make it anew with `course grade`", intake.string(), plain_line(error.what())));
    }
}

ClassResults read_class_results(const fs::path& folder) {
    ClassResults read;
    read.intake = read_class_intake(folder);
    std::vector<ToRead> files;
    std::set<std::pair<std::string, int>> seen;
    for (const ClassSubmission& submission : read.intake.submissions)
        for (const SubmittedAnswer& answer : submission.answers) {
            if (!is_plain_name(submission.id) || !is_plain_name(answer.folder))
                read.problems.push_back(plain_line(
                    fmt::format("intake.json: \"{}/{}\" can't name a result", submission.id, answer.folder)));
            else if (!seen.emplace(submission.id, answer.number).second)
                read.problems.push_back(
                    plain_line(fmt::format("intake.json: {} has exercise {} twice", submission.id, answer.number)));
            else
                files.push_back({submission.id, answer.folder, answer.number});
        }
    in_pieces(static_cast<std::int64_t>(files.size()), 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k) read_one(folder, files[static_cast<std::size_t>(k)]);
    });
    for (ToRead& one : files) {
        if (!one.problem.empty()) {
            read.problems.push_back(one.problem);
            read.unreadable.emplace(one.submission, one.number);
        }
        if (!one.problem.empty() || !one.result.submission.empty()) read.tried.insert(one.number);
        if (!one.result.submission.empty())
            read.results.emplace(std::pair(one.submission, one.number), std::move(one.result));
    }
    const auto read_beside = [&](const char* name, auto&& what) {
        try {
            what(folder / name);
        } catch (const std::exception& error) {
            read.problems.push_back(plain_line(fmt::format("{}: {}", name, error.what())));
        }
    };
    read_beside("confirmed.json", [&](const fs::path& path) { read.confirmed = read_confirmed(path); });
    read.marks = read_marks(folder);
    read_beside("grade.json", [&](const fs::path& path) { read.ran_with = read_grade_json(path); });
    return read;
}

const Confirmation* decision_on(const ClassResults& class_results, const StoredResult& result) {
    const auto at =
        std::find_if(class_results.confirmed.begin(), class_results.confirmed.end(), [&](const Confirmation& one) {
            return one.submission == result.submission && one.key == result.key && result.result &&
                   one.exercise == result.result->number;
        });
    return at == class_results.confirmed.end() ? nullptr : &*at;
}

void add_confirmation(const fs::path& folder, const Confirmation& decision) {
    const fs::path path = folder / "confirmed.json";
    const FileLock lock(folder / "confirmed.lock");  // two instructors at once: no decision is lost
    std::vector<Confirmation> confirmed = read_confirmed(path);
    std::erase_if(confirmed, [&](const Confirmation& one) {
        return one.submission == decision.submission && one.exercise == decision.exercise && one.key == decision.key;
    });
    confirmed.push_back(decision);
    write_file_atomically(path, confirmed_json(confirmed));
}

}  // namespace course
