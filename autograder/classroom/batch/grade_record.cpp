// SPDX-License-Identifier: MIT
#include "classroom/batch/grade_record.hpp"

#include <algorithm>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "classroom/batch/results/results_folder.hpp"
#include "kit/kit.hpp"
#include "kit/probe.hpp"
#include "report/result_json.hpp"
#include "support/files.hpp"

namespace course {

std::string hidden_cases_of_record(const std::filesystem::path& results) {
    const std::filesystem::path file = results / "grade.json";
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return {};
    const nlohmann::json json = nlohmann::json::parse(read_file(file), nullptr, false);
    const nlohmann::json::json_pointer hidden("/options/private");
    if (!json.contains(hidden) || !json[hidden].is_string())
        throw UsageError(
            fmt::format("{} can't be read, so it isn't known whether hidden cases count: give --private with "
                        "their folder, or --no-private",
                        file.string()));
    return json[hidden].get<std::string>();
}

void write_record(const GradeRecord& record, const std::filesystem::path& results,
                  const std::filesystem::path& unfinished) {
    const nlohmann::ordered_json json = {{"schema", 1},
                                         {"kit_version", record.kit_version},
                                         {"machine", record.machine},
                                         {"device", record.device},
                                         {"sandbox", record.sandbox},
                                         {"options",
                                          {{"submissions", record.submissions},
                                           {"private", record.hidden},
                                           {"exercises", record.exercises},
                                           {"students", record.students},
                                           {"shard", record.shard},
                                           {"regrade", record.regrade},
                                           {"allow_unsandboxed", record.allow_unsandboxed}}},
                                         {"started", record.started},
                                         {"finished", record.finished},
                                         {"planned", record.planned},
                                         {"skipped", record.skipped},
                                         {"graded", record.graded},
                                         {"grader_faults", record.faults}};
    put_result(unfinished, results / "grade.json",
               json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace course

namespace fs = std::filesystem;

namespace course {

std::string GradeKey::text() const { return fmt::format("{}.{}.{}.{}", answer, exercise, hidden, grader); }

std::string exercise_digest(const fs::path& exercise) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(exercise))
        if (entry.is_regular_file() && entry.path().extension() != ".md") files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::string all;
    for (const fs::path& file : files) all += file.filename().string() + ' ' + digest(read_file(file)) + '\n';
    return digest(all).substr(0, 16);
}

std::string grader_digest() { return digest(fmt::format("{} {}", kit_version(), result_schema)).substr(0, 16); }

namespace {

std::vector<std::string> parts_of(const std::string& key) {
    std::vector<std::string> parts;
    for (std::size_t from = 0, to; from <= key.size(); from = to + 1) {
        to = std::min(key.find('.', from), key.size());
        parts.push_back(key.substr(from, to - from));
    }
    return parts;
}

}  // namespace

std::string hidden_of_key(const std::string& key) {
    const std::vector<std::string> parts = parts_of(key);
    return parts.size() == 4 ? parts[2] : "none";
}

std::string why_graded(const std::string& old_key, const GradeKey& key) {
    if (old_key.empty()) return "new";
    const std::vector<std::string> old = parts_of(old_key);
    const std::pair<const std::string*, const char*> parts[] = {{&key.answer, "answer changed"},
                                                                {&key.exercise, "exercise changed"},
                                                                {&key.hidden, "hidden cases changed"},
                                                                {&key.grader, "grader changed"}};
    if (old.size() != std::size(parts)) return "grader changed";
    for (std::size_t k = 0; k < old.size(); ++k)
        if (old[k] != *parts[k].first) return parts[k].second;
    return {};
}

}  // namespace course
