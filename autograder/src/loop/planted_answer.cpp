// SPDX-License-Identifier: MIT
#include "loop/planted_answer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace course {

std::string why_not_caught(const PlantedAnswer& answer, const Result& result, const std::string& screen) {
    const std::string_view verdict = to_string(result.verdict);
    if (answer.verdict.empty() && exit_code(result.verdict) != 1)
        return fmt::format("should fail; it got \"{}\":", verdict);
    if (!answer.verdict.empty() && verdict != answer.verdict)
        return fmt::format("should get \"{}\"; it got \"{}\":", answer.verdict, verdict);
    const auto is_failed = [&](const TaskResult& task) {
        return task.id == answer.task && exit_code(task.verdict) != 0;
    };
    if (!answer.task.empty() && std::none_of(result.tasks.begin(), result.tasks.end(), is_failed))
        return fmt::format("should fail in the task {}, and passed it:", answer.task);
    if (screen.find(answer.says) == std::string::npos) return fmt::format("should say \"{}\":", answer.says);
    return "";
}

}  // namespace course
