// SPDX-License-Identifier: MIT
#include "batch/grade_record.hpp"

#include <nlohmann/json.hpp>

#include "batch/results_folder.hpp"

namespace course {

void write_record(const GradeRecord& record, const std::filesystem::path& results) {
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
                                           {"regrade", record.regrade},
                                           {"allow_unsandboxed", record.allow_unsandboxed}}},
                                         {"started", record.started},
                                         {"finished", record.finished},
                                         {"planned", record.planned},
                                         {"skipped", record.skipped},
                                         {"graded", record.graded},
                                         {"grader_faults", record.faults}};
    put_result(results, results / "grade.json",
               json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
}

}  // namespace course
