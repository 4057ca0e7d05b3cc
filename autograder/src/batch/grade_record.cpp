// SPDX-License-Identifier: MIT
#include "batch/grade_record.hpp"

#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "batch/results/results_folder.hpp"
#include "kit/kit.hpp"
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
