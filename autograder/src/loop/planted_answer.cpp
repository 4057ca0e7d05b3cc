// SPDX-License-Identifier: MIT
#include "loop/planted_answer.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "manifest/names.hpp"

namespace course {

namespace {

bool has_right_values(const TaskResult& task) {
    return std::all_of(task.cases.begin(), task.cases.end(), [](const CaseResult& one) {
        return one.verdict == Verdict::passed ||
               (one.verdict == Verdict::wrong && !one.difference && one.message.empty());
    });
}

bool keeps_calls_budgets(const TaskResult& task) {
    return std::all_of(task.budgets.begin(), task.budgets.end(), [](const BudgetResult& budget) {
        return budget.kept() || !budget.kernel.empty() || is_counted_in_check_mode(budget.counter);
    });
}

}  // namespace

bool failed_in_check_mode_alone(const Result& result) {
    return std::all_of(result.tasks.begin(), result.tasks.end(), [](const TaskResult& task) {
        if (exit_code(task.verdict) == 0) return true;
        return task.check && has_right_values(task) && keeps_calls_budgets(task);
    });
}

std::string why_not_caught(const PlantedAnswer& answer, const Result& result, const std::string& screen) {
    const std::string_view verdict = to_string(result.verdict);
    // A GPU does what it likes with a race or an unset value: there, an answer must be caught, whatever it is told.
    if (result.environment.backend == "cuda") {
        if (answer.only_check_mode) return "";
        return exit_code(result.verdict) == 1 ? "" : "was not caught:";
    }
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
    if (answer.only_check_mode && !failed_in_check_mode_alone(result))
        return "has only_check_mode = true, but it is caught without check mode as well:";
    return "";
}

}  // namespace course
