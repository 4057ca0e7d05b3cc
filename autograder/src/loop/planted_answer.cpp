// SPDX-License-Identifier: MIT
#include "loop/planted_answer.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace course {

std::string why_not_caught(const WrongAnswer& wrong, const Result& result, const std::string& screen) {
    const std::string_view verdict = to_string(result.verdict);
    if (verdict != wrong.verdict) return fmt::format("should get \"{}\"; it got \"{}\":", wrong.verdict, verdict);
    const auto is_failed = [&](const TaskResult& task) {
        return task.id == wrong.task && exit_code(task.verdict) != 0;
    };
    if (!wrong.task.empty() && std::none_of(result.tasks.begin(), result.tasks.end(), is_failed))
        return fmt::format("should fail in the task {}, and passed it:", wrong.task);
    if (screen.find(wrong.says) == std::string::npos) return fmt::format("should say \"{}\":", wrong.says);
    return "";
}

}  // namespace course
