// SPDX-License-Identifier: MIT
#include "answer/case_to_look_at.hpp"

#include <algorithm>
#include <utility>
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
    for (const ReplayableCase& one : judged.kept)
        names += (names.empty() ? "" : ", ") + without_blanks(judged.result.cases[one.index].name);
    return names;
}

/// Chooses among the cases that exceed a budget: the smallest with enough elements that exceeds it plainly; otherwise
/// the worst one, preferring enough elements among equals. Null: all budgets are met, or none of these cases is
/// available.
const ReplayableCase* broken_case(const JudgedTask& judged) {
    constexpr std::int64_t min_elements = 31;
    constexpr double plainly = 1.5;
    const auto is_broken = [](const BudgetResult& budget) { return !budget.kept(); };
    const auto budget = std::find_if(judged.result.budgets.begin(), judged.result.budgets.end(), is_broken);
    if (budget == judged.result.budgets.end()) return nullptr;
    const ReplayableCase *smallest = nullptr, *worst = nullptr;
    double max_times = 0;
    for (const ReplayableCase& one : judged.kept) {
        const CaseResult& result = judged.result.cases[one.index];
        const auto broken = std::find_if(budget->broken.begin(), budget->broken.end(),
                                         [&](const auto& at) { return at.case_name == result.name; });
        if (result.empty || broken == budget->broken.end()) continue;
        if (broken->times >= plainly && one.elements >= min_elements &&
            (smallest == nullptr || one.elements < smallest->elements))
            smallest = &one;
        const bool shows_more = worst != nullptr && broken->times == max_times && worst->elements < min_elements;
        if (worst != nullptr && !(broken->times > max_times) && !(shows_more && one.elements >= min_elements)) continue;
        worst = &one;
        max_times = broken->times;
    }
    return smallest != nullptr ? smallest : worst;
}

/// False if nothing of the kind happened in its cases.
bool has_something_to_see(const JudgedTask& judged, LookFor look_for) {
    const TaskResult& result = judged.result;
    // Work that ended early wasn't counted.
    if (!is_passed(result) && !is_right(result.verdict) && result.verdict != Verdict::wrong) return true;
    if (result.check && (!result.check->kernels.empty() || !result.check->found.empty())) return true;
    return std::any_of(result.cases.begin(), result.cases.end(), [&](const CaseResult& one) {
        const gpu::Counts& counts = one.counts;
        return counts.launches > 0 || (look_for == LookFor::requests &&
                                       (counts.allocations > 0 || counts.copies_to_device > 0 ||
                                        counts.copies_to_host > 0 || counts.copies_on_device > 0));
    });
}

}  // namespace

const ReplayableCase* case_to_look_at(const JudgedTask& judged, const std::string& wanted) {
    const CaseResult* telling = telling_case(judged.result);
    if (const ReplayableCase* const broken = broken_case(judged);
        wanted.empty() && telling == nullptr && broken != nullptr)
        return broken;
    const ReplayableCase* best = nullptr;
    const auto distance = [](const ReplayableCase& one) {
        constexpr std::int64_t easily_seen = 100;
        return one.elements < easily_seen ? 4 * (easily_seen - one.elements) : one.elements - easily_seen;
    };
    for (const ReplayableCase& one : judged.kept) {
        const CaseResult& result = judged.result.cases[one.index];
        if (!wanted.empty()) {
            if (without_blanks(result.name) == without_blanks(wanted)) return &one;
        } else if (!result.empty && &result == telling) {
            return &one;  // a case without elements shows nothing
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

ChosenCase case_to_look_at(std::span<const JudgedTask> tasks, const WantedCase& wanted) {
    const bool all_passed =
        std::all_of(tasks.begin(), tasks.end(), [](const JudgedTask& one) { return is_passed(one.result); });
    std::vector<const JudgedTask*> candidates;
    for (const JudgedTask& one : tasks)
        if (wanted.task.empty() || one.task.id == wanted.task) candidates.push_back(&one);
    const auto rank = [&](const JudgedTask* one) {
        const bool sees = has_something_to_see(*one, wanted.look_for), passed = is_passed(one->result);
        const int kind = !one->begun ? 4 : sees ? (passed ? 1 : 0) : (passed ? 3 : 2);
        const std::ptrdiff_t place = one - tasks.data();
        return std::pair(kind, passed && !all_passed ? -place : place);
    };
    std::sort(candidates.begin(), candidates.end(),
              [&](const JudgedTask* a, const JudgedTask* b) { return rank(a) < rank(b); });
    for (const JudgedTask* one : candidates) {
        const ReplayableCase* const found = case_to_look_at(*one, wanted.case_name);
        if (found != nullptr || one->result.verdict == Verdict::does_not_compile) return {one, found};
    }
    return {candidates.empty() ? nullptr : candidates.front(), nullptr};
}

}  // namespace course
