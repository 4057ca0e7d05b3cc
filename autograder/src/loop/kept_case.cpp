// SPDX-License-Identifier: MIT
#include "loop/kept_case.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "judge/verdict.hpp"
#include "loop/kit.hpp"

namespace course {

std::string without_blanks(std::string_view text) {
    std::string kept;
    for (const char c : text)
        if (c != ' ') kept += c;
    return kept;
}

std::string kept_names(const JudgedTask& judged) {
    std::string names;
    for (const KeptCase& one : judged.kept)
        names += (names.empty() ? "" : ", ") + without_blanks(judged.result.cases[one.index].name);
    return names;
}

namespace {

/// The case in which a budget isn't kept; empty: all are.
std::string over_budget_case(const TaskResult& result) {
    for (const BudgetResult& budget : result.budgets)
        if ((budget.at_most && budget.counted > *budget.at_most) ||
            (budget.at_least && budget.counted < *budget.at_least))
            return budget.case_name;
    return "";
}

}  // namespace

const KeptCase* case_to_look_at(const JudgedTask& judged, const std::string& wanted) {
    const CaseResult* telling = telling_case(judged.result);
    const std::string over_budget = over_budget_case(judged.result);
    const KeptCase* best = nullptr;
    const auto distance = [](const KeptCase& one) {
        constexpr std::int64_t easily_seen = 100;
        return one.elements < easily_seen ? 4 * (easily_seen - one.elements) : one.elements - easily_seen;
    };
    for (const KeptCase& one : judged.kept) {
        const CaseResult& result = judged.result.cases[one.index];
        if (!wanted.empty()) {
            if (without_blanks(result.name) == without_blanks(wanted)) return &one;
        } else if (!result.empty && (telling == nullptr ? result.name == over_budget : &result == telling)) {
            return &one;  // a case without elements has nothing to look at
        } else if (best == nullptr || distance(one) < distance(*best)) {
            best = &one;
        }
    }
    return best;
}

void check_task(const Manifest& manifest, const std::string& wanted) {
    if (wanted.empty()) return;
    std::vector<std::string> ids;
    for (const Task& task : manifest.tasks) {
        if (task.id == wanted) return;
        ids.push_back(task.id);
    }
    throw UsageError(fmt::format("--task {}: exercise {} has {}", wanted, manifest.number, fmt::join(ids, ", ")));
}

bool TaskChoice::takes(const JudgedTask& judged) {
    const bool failed = exit_code(judged.result.verdict) != 0;
    if (!wanted_.empty() ? judged.task.id != wanted_ : has_one_ && (!failed || failed_before_)) return false;
    has_one_ = true;
    failed_ = failed;
    return true;
}

}  // namespace course
