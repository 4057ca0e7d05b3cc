// SPDX-License-Identifier: MIT
#include "grades/class_results.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "grades/read_json.hpp"
#include "kit/kit.hpp"
#include "support/files.hpp"
#include "support/parallel.hpp"
#include "support/text.hpp"

namespace fs = std::filesystem;

namespace course {

namespace {

constexpr std::size_t most_intake_bytes = std::size_t{256} << 20, most_result_bytes = std::size_t{16} << 20,
                      most_confirmed_bytes = std::size_t{64} << 20;

std::string read_up_to(const fs::path& path, std::size_t most) {
    std::string text = read_file(path, most);
    if (text.size() > most) throw std::runtime_error(fmt::format("it has more than {} MiB", most >> 20));
    return text;
}

/// A name of one folder or file, and nothing that leads elsewhere.
bool is_plain_name(const std::string& name) {
    return !name.empty() && name.size() <= 200 && name[0] != '.' && name.find('/') == name.npos &&
           name.find('\0') == name.npos;
}

std::vector<Confirmation> read_confirmed(const fs::path& path) {
    std::vector<Confirmation> confirmed;
    if (!fs::exists(path)) return confirmed;
    const nlohmann::json document = read_json(read_up_to(path, most_confirmed_bytes));
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

/// The members of grade.json that are a value or a list of them; what else it holds is the batch's own.
std::vector<std::pair<std::string, std::string>> read_grade_json(const fs::path& path) {
    std::vector<std::pair<std::string, std::string>> values;
    if (!fs::exists(path)) return values;
    const auto text = [](const nlohmann::json& value) {
        return plain_line(value.is_string() ? value.get<std::string>() : value.dump());
    };
    const nlohmann::json json = read_json(read_up_to(path, most_result_bytes));
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

/// A result's file: where it lies, what it must be about, and what came of reading it.
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
        if (!fs::exists(path)) return;  // not graded yet: the grades say so
        one.result = read_stored_result(read_up_to(path, most_result_bytes));
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
        return read_intake(read_up_to(intake, most_intake_bytes));
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
    const FileLock lock(folder / "confirmed.lock");  // two instructors at once: none of their decisions is lost
    std::vector<Confirmation> confirmed = read_confirmed(path);
    std::erase_if(confirmed, [&](const Confirmation& one) {
        return one.submission == decision.submission && one.exercise == decision.exercise && one.key == decision.key;
    });
    confirmed.push_back(decision);
    write_file_atomically(path, confirmed_json(confirmed));
}

}  // namespace course
