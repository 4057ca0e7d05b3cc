// SPDX-License-Identifier: MIT
#include "answer/kept_case.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "kit/kit.hpp"
#include "verdict/verdict.hpp"

namespace course {

std::string without_blanks(std::string_view text) {
    std::string kept;
    for (const char c : text)
        if (c != ' ') kept += c;
    return kept;
}

namespace {

/// The names of the cases that can be called again: "n=0, n=1, n=33".
std::string kept_names(const JudgedTask& judged) {
    std::string names;
    for (const KeptCase& one : judged.kept)
        names += (names.empty() ? "" : ", ") + without_blanks(judged.result.cases[one.index].name);
    return names;
}

/// Of the cases in which a budget isn't kept the one to look at: the smallest that has enough elements to see it, and
/// where it is plainly broken; else where it is broken most. Null: all budgets are kept, or none of these is at hand.
const KeptCase* broken_case(const JudgedTask& judged) {
    constexpr std::int64_t enough = 31;
    constexpr double plainly = 1.5;
    const auto is_broken = [](const BudgetResult& budget) { return !budget.kept(); };
    const auto budget = std::find_if(judged.result.budgets.begin(), judged.result.budgets.end(), is_broken);
    if (budget == judged.result.budgets.end()) return nullptr;
    const KeptCase *smallest = nullptr, *worst = nullptr;
    double most = 0;
    for (const KeptCase& one : judged.kept) {
        const CaseResult& result = judged.result.cases[one.index];
        const auto broken = std::find_if(budget->broken.begin(), budget->broken.end(),
                                         [&](const auto& at) { return at.case_name == result.name; });
        if (result.empty || broken == budget->broken.end()) continue;
        if (broken->times >= plainly && one.elements >= enough &&
            (smallest == nullptr || one.elements < smallest->elements))
            smallest = &one;
        if (worst != nullptr && !(broken->times > most)) continue;
        worst = &one;
        most = broken->times;
    }
    return smallest != nullptr ? smallest : worst;
}

}  // namespace

const KeptCase* case_to_look_at(const JudgedTask& judged, const std::string& wanted) {
    const CaseResult* telling = telling_case(judged.result);
    if (const KeptCase* const broken = broken_case(judged); wanted.empty() && telling == nullptr && broken != nullptr)
        return broken;
    const KeptCase* best = nullptr;
    const auto distance = [](const KeptCase& one) {
        constexpr std::int64_t easily_seen = 100;
        return one.elements < easily_seen ? 4 * (easily_seen - one.elements) : one.elements - easily_seen;
    };
    for (const KeptCase& one : judged.kept) {
        const CaseResult& result = judged.result.cases[one.index];
        if (!wanted.empty()) {
            if (without_blanks(result.name) == without_blanks(wanted)) return &one;
        } else if (!result.empty && &result == telling) {
            return &one;  // a case without elements has nothing to look at
        } else if (best == nullptr || distance(one) < distance(*best)) {
            best = &one;
        }
    }
    return best;
}

std::string no_case_text(const JudgedTask& judged, const std::string& wanted, const std::string& too_large) {
    return wanted.empty() ? too_large
                          : fmt::format("it has no case \"{}\"; there are {}", wanted, kept_names(judged));
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
