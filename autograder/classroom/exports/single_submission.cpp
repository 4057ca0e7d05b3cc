// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "classroom/exports/exports.hpp"
#include "kit/kit.hpp"
#include "support/text.hpp"

namespace course {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

bool is_right(const StoredTask& task) { return task.status == "passed" || task.status == "noisy"; }

/// A task's verdict on the cases that students have: the outcome of the hidden ones is shown separately, or not at all.
std::string shown_status(const WeighedTask& one) { return one.hidden ? one.hidden->shown_status : one.task->status; }

bool is_full(const GivenMark& mark) { return mark.points >= mark.max_points - 1e-9; }

/// With points by hand, their number decides.
bool is_shown_right(const WeighedTask& one) {
    if (one.by_hand) return is_full(*one.by_hand);
    const std::string status = shown_status(one);
    return status == "passed" || status == "noisy";
}

/// What is exported: an exercise, the answer to it, and the result.
struct Part {
    const CountedExercise* exercise = nullptr;
    const ExerciseGrade* grade = nullptr;
    const StoredExercise* result = nullptr;  ///< nullptr: nothing handed in, or not graded
};

/// Why a task isn't right, according to its verdict; otherwise that it is.
std::string text_of(const WeighedTask& one, const Part& part, const StudentView& view) {
    const StoredTask& task = *one.task;
    const StoredExercise& result = *part.result;
    const std::vector<GivenMark>& marks = part.grade->marks;
    std::string text = task.title + ": " + shown_status(one) + "\n";
    for (const std::string& said : said_of(task, is_shown_right(one) ? "" : result.message_of(task)))
        text += said + "\n";
    if (view.findings)
        for (const StoredFinding& found : task.found) text += found.what + "\n" + found.advice + "\n";
    if (view.speed_ups && task.speed && task.speed->pairs > 0)
        text += fmt::format("{:.1f} times as fast as one CPU thread\n", task.speed->speedup);
    for (const GivenMark& mark : marks)
        if (mark.mark->task == task.id) text += mark.text(!one.hidden) + "\n";
    return text;
}

/// What precedes the grader's tests: a mark of the whole exercise, or that it doesn't count.
struct SaidByHand {
    std::string name, text;
    bool is_right = true, is_whole = false;  ///< whole: it replaces the exercise's points
};

std::vector<SaidByHand> said_by_hand(const Part& part) {
    const std::string& folder = part.exercise->folder;
    if (part.grade->standing == Standing::exempt) return {{folder, "exempt: it doesn't count for you"}};
    std::vector<SaidByHand> said;
    for (const GivenMark& mark : part.grade->marks)
        if (mark.is_whole())
            said.push_back(
                {folder + ": by hand", mark.text(), !mark.gives_points() || is_full(mark), mark.gives_points()});
    return said;
}

/// True if a task needs an explanation: it isn't right, or was marked.
bool needs_text(const WeighedTask& one, const Part& part) {
    const std::vector<GivenMark>& marks = part.grade->marks;
    return !is_shown_right(one) || std::any_of(marks.begin(), marks.end(),
                                               [&](const GivenMark& mark) { return mark.mark->task == one.task->id; });
}

std::vector<Part> parts_of(const ExportedSubmission& submission) {
    std::vector<Part> parts;
    for (std::size_t k = 0; k < submission.student->exercises.size(); ++k) {
        const ExerciseGrade& grade = submission.student->exercises[k];
        const GradedAttempt* counting = grade.counting();
        parts.push_back({&submission.grades->exercises[k], &grade,
                         counting && counting->points ? &*counting->result->result : nullptr});
    }
    return parts;
}

/// The first exercise that isn't graded, and why; empty if everything handed in is graded.
std::string not_graded_in(const ExportedSubmission& submission) {
    for (std::size_t k = 0; k < submission.student->exercises.size(); ++k)
        if (const ExerciseGrade& one = submission.student->exercises[k];
            one.standing == Standing::not_graded && !one.has_points())
            return fmt::format("exercise {} {}", submission.grades->exercises[k].number,
                               why_not_graded(submission.student->exercises[k]));
    return "";
}

void refuse_not_graded(const ExportedSubmission& submission, const char* system) {
    if (const std::string why = not_graded_in(submission); !why.empty())
        throw UsageError(fmt::format(
            "{}. No file is written, so that {} shows an error of its autograder and not a zero: grade it first", why,
            system));
}

/// What a student who sees no test should do: for a submission that is unusable, or empty.
std::string output_of(const ExportedSubmission& submission) {
    const std::string text = short_feedback(*submission.grades, *submission.student, {});
    if (!text.empty()) return text;
    return submission.student->unusable.empty() ? "nothing handed in"
                                                : "what was handed in can't be used: " + submission.student->unusable;
}

double seconds_of(const std::vector<Part>& parts) {
    double seconds = 0;
    for (const Part& part : parts)
        if (part.result) seconds += part.result->seconds;
    return seconds;
}

std::vector<WeighedTask> weighed(const ExportedSubmission& submission, const Part& part) {
    const GradedAttempt& attempt = *part.grade->counting();
    return weighed_tasks(*attempt.result, attempt.decision, part.exercise->max_points,
                         submission.policy->of(part.exercise->number).hidden_share.value_or(1), part.grade->marks);
}

/// The outcome of the hidden cases of all tasks together.
struct HiddenSum {
    double points = 0, max_points = 0;
    bool right = true, ran = false;
};

HiddenSum hidden_of(const std::vector<WeighedTask>& tasks) {
    HiddenSum sum;
    for (const WeighedTask& one : tasks) {
        sum.points += one.hidden_points;
        sum.max_points += one.hidden_max;
        sum.ran = sum.ran || one.hidden;
        sum.right = sum.right && (!one.hidden || one.hidden->status == "passed" || one.hidden->status == "noisy");
    }
    return sum;
}

Json leaderboard(const ExportedSubmission& submission, const std::vector<Part>& parts) {
    Json board = Json::array();
    for (const Part& part : parts) {
        if (!part.result || submission.policy->leaderboard != part.exercise->number) continue;
        double best = 0;
        for (const StoredTask& task : part.result->tasks)
            if (is_right(task) && task.speed) best = std::max(best, task.speed->speedup);
        if (best > 0) board.push_back({{"name", "Speed-up"}, {"value", rounded(best)}, {"order", "desc"}});
    }
    return board;
}

}  // namespace

std::string gradescope_results(const ExportedSubmission& submission) {
    refuse_not_graded(submission, "Gradescope");
    const std::vector<Part> parts = parts_of(submission);
    Json tests = Json::array();
    for (const Part& part : parts) {
        const GivenMark* const whole = part.grade->whole_mark();
        for (const SaidByHand& said : said_by_hand(part)) {
            Json test = Json::object();
            if (whole && said.is_whole) {
                test["score"] = rounded(whole->points);
                test["max_score"] = rounded(whole->max_points);
            }
            test["status"] = said.is_right ? "passed" : "failed";
            test["name"] = said.name;
            test["name_format"] = "text";
            test["number"] = fmt::format("{}.0", part.exercise->number);
            test["output"] = said.text;
            test["output_format"] = "text";
            test["visibility"] = "visible";
            tests.push_back(test);
        }
        if (!part.result) continue;
        const std::vector<WeighedTask> tasks = weighed(submission, part);
        int number = 0;
        for (const WeighedTask& one : tasks) {
            Json tags = Json::array(), test = Json::object();
            for (const int tag : one.task->tags) tags.push_back(fmt::format("misconception {}", tag));
            if (!whole && (one.shown_max > 0 || !one.hidden)) {  // all points may belong to hidden cases
                test["score"] = rounded(one.shown);
                test["max_score"] = rounded(one.shown_max);
            }
            test["status"] = is_shown_right(one) ? "passed" : "failed";
            test["name"] = fmt::format("{}: {}", part.exercise->folder, one.task->id);
            test["name_format"] = "text";
            test["number"] = fmt::format("{}.{}", part.exercise->number, ++number);
            test["output"] = text_of(one, part, submission.policy->students);
            test["output_format"] = "text";
            test["tags"] = tags;
            test["visibility"] = "visible";
            tests.push_back(test);
        }
        if (const HiddenSum hidden = hidden_of(tasks); hidden.ran)
            tests.push_back(
                {{"score", whole ? 0 : rounded(hidden.points)},
                 {"max_score", whole ? 0 : rounded(hidden.max_points)},
                 {"status", hidden.right ? "passed" : "failed"},
                 {"name", part.exercise->folder + ": hidden cases"},
                 {"name_format", "text"},
                 {"number", fmt::format("{}.{}", part.exercise->number, ++number)},
                 {"output", hidden.right ? "passed" : "not all passed"},
                 {"output_format", "text"},
                 {"visibility", submission.policy->students.hidden_results_from ? "after_published" : "hidden"}});
    }
    const double possible = submission.grades->max_points;  // the assignment's maximum there, exempt or not
    const bool is_scaled = std::abs(submission.student->max_points - possible) > 1e-9;
    const double score = is_scaled ? submission.student->points_of(possible) : submission.student->points;
    Json json = {{"score", rounded(score)},
                 {"execution_time", static_cast<int>(std::ceil(seconds_of(parts)))},
                 {"output", output_of(submission)},
                 {"output_format", "text"},
                 {"visibility", "visible"},
                 {"stdout_visibility", "hidden"},
                 {"tests", tests}};
    if (const Json board = leaderboard(submission, parts); !board.empty()) json["leaderboard"] = board;
    return dumped(json);
}

std::string prairielearn_results(const ExportedSubmission& submission) {
    constexpr std::size_t max_bytes = 1'000'000, max_output = 4000;
    if (const std::string why = not_graded_in(submission); !why.empty())
        return dumped({{"gradable", false}, {"message", "Not graded, and no attempt is lost: " + why}});
    const double max_points = submission.student->max_points;
    Json json = {{"gradable", true},
                 {"score", max_points > 0 ? std::clamp(submission.student->points / max_points, 0.0, 1.0) : 0.0},
                 {"message", output_of(submission)},
                 {"tests", Json::array()}};
    std::size_t bytes = 0;
    for (const Part& part : parts_of(submission)) {
        const GivenMark* const whole = part.grade->whole_mark();
        for (const SaidByHand& said : said_by_hand(part)) {
            json["tests"].push_back({{"name", said.name},
                                     {"description", part.exercise->title},
                                     {"points", whole && said.is_whole ? rounded(whole->points) : 0},
                                     {"max_points", whole && said.is_whole ? rounded(whole->max_points) : 0},
                                     {"message", said.text},
                                     {"output", ""}});
            bytes += said.text.size();
        }
        if (!part.result) continue;
        for (const WeighedTask& one : weighed(submission, part)) {
            std::string output = plain_text(text_of(one, part, submission.policy->students), max_output, 200);
            if (bytes + output.size() > max_bytes / 2) output = shown_status(one);
            bytes += output.size();
            json["tests"].push_back({{"name", fmt::format("{}: {}", part.exercise->folder, one.task->id)},
                                     {"description", one.task->title},
                                     {"points", whole ? 0 : rounded(one.points())},
                                     {"max_points", whole ? 0 : rounded(one.max_points())},
                                     {"message", shown_status(one)},
                                     {"output", output}});
        }
    }
    return dumped(json);
}

std::string github_results(const ExportedSubmission& submission) {
    Json tests = Json::array();
    // the reporter adds up the scores, which must not exceed this
    double left = rounded(submission.student->max_points);
    bool all = true;
    const auto add = [&](const std::string& name, const char* status, double score, const std::string& message) {
        const double given = std::min(rounded(score), left);
        left = rounded(left - given);
        all = all && status == std::string_view("pass");
        tests.push_back({{"name", name},
                         {"status", status},
                         {"score", given},
                         {"message", message},
                         {"test_code", ""},
                         {"filename", ""},
                         {"line_no", 0},
                         {"duration", 0}});
    };
    for (const Part& part : parts_of(submission)) {
        const GivenMark* const whole = part.grade->whole_mark();
        for (const SaidByHand& said : said_by_hand(part))
            add(said.name, said.is_right ? "pass" : "fail", whole && said.is_whole ? whole->points : 0, said.text);
        if (!part.grade->unusable.empty()) add(part.exercise->folder, "fail", 0, part.grade->unusable);
        if (!part.result) continue;
        const GradedAttempt& attempt = *part.grade->counting();
        const double late =
            whole || attempt.after_last_acceptance ? 0 : attempt.late;  // points by hand are the only ones
        const std::vector<WeighedTask> tasks = weighed(submission, part);
        const bool all_before = all;
        for (const WeighedTask& one : tasks)
            add(fmt::format("{}: {}", part.exercise->folder, one.task->id), is_shown_right(one) ? "pass" : "fail",
                (one.by_hand && !whole ? 1 : late) * one.shown,
                needs_text(one, part) ? text_of(one, part, submission.policy->students) : "");
        if (const HiddenSum hidden = hidden_of(tasks); hidden.ran)
            add(part.exercise->folder + ": hidden cases", hidden.right ? "pass" : "fail", late * hidden.points, "");
        if (const double stars = submission.policy->points_per_star * part.result->stars; stars > 0 && !whole)
            add(part.exercise->folder + ": stars", "pass", late * stars, "");
        if (whole) all = all_before;  // the mark has already said it
    }
    const std::string not_graded = not_graded_in(submission);
    if (!not_graded.empty()) add("grader", "error", 0, not_graded);
    if (tests.empty()) add("submission", "fail", 0, output_of(submission));
    return dumped({{"version", 3},
                   {"status", !not_graded.empty() ? "error"
                              : all               ? "pass"
                                                  : "fail"},
                   {"max_score", rounded(submission.student->max_points)},
                   {"tests", tests}});
}

std::string github_lines(const ExportedSubmission& submission) {
    const auto escaped = [](std::string_view text, bool property) {
        std::string safe;
        for (const char c : text) {
            const bool special = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
            safe += special ? fmt::format("%{:02X}", static_cast<unsigned char>(c)) : std::string(1, c);
        }
        return safe;
    };
    std::string lines = fmt::format("::notice title=Autograding complete::{}\n",
                                    escaped(fmt::format("Points {}/{}", points_text(submission.student->points),
                                                        points_text(submission.student->max_points)),
                                            false));
    if (const std::string why = not_graded_in(submission); !why.empty())
        lines += fmt::format("::warning title=Grader::{}\n", escaped(why, false));
    if (submission.student->exercises.empty())
        lines += fmt::format("::error title=submission::{}\n", escaped(output_of(submission), false));
    for (const Part& part : parts_of(submission)) {
        for (const SaidByHand& said : said_by_hand(part))
            lines += fmt::format("::notice title={}::{}\n", escaped(said.name, true), escaped(said.text, false));
        if (!part.grade->unusable.empty())
            lines += fmt::format("::error title={}::{}\n", escaped(part.exercise->folder, true),
                                 escaped("what was handed in can't be used: " + part.grade->unusable, false));
        if (!part.result) continue;
        for (const WeighedTask& one : weighed(submission, part))
            if (needs_text(one, part))
                lines += fmt::format("::{} title={}::{}\n", is_shown_right(one) ? "notice" : "error",
                                     escaped(fmt::format("{}: {}", part.exercise->folder, one.task->id), true),
                                     escaped(text_of(one, part, submission.policy->students), false));
    }
    return lines;
}

}  // namespace course
