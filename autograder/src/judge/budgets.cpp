// SPDX-License-Identifier: MIT
#include "judge/budgets.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "manifest/names.hpp"

namespace course {

double counted(const protocol::CountsRecord& counts, std::string_view counter) {
    const auto* const found = std::find(counter_names.begin(), counter_names.end(), counter);
    if (found == counter_names.end()) throw ManifestError(fmt::format("\"{}\" is not a valid counter", counter));
    std::uint64_t values[counter_names.size()];
    static_assert(sizeof values == sizeof counts);   // the names are in the record's order
    std::memcpy(values, &counts, sizeof values);
    return static_cast<double>(values[found - counter_names.begin()]);
}

bool counted_on_host_only(std::string_view counter) noexcept { return counter == "barriers" || counter == "atomics"; }

std::vector<BudgetResult> check_budgets(std::span<const Budget> budgets, std::span<const CaseResult> cases) {
    std::vector<BudgetResult> results;
    for (const Budget& budget : budgets) {
        if (is_counted_in_check_mode(budget.counter)) continue;  // judged by work_budgets.hpp
        std::optional<BudgetResult> nearest;
        for (const CaseResult& one : cases) {
            if (one.verdict != Verdict::passed && one.verdict != Verdict::wrong) continue;
            if (!one.checked_counts && counted_on_host_only(budget.counter)) continue;
            BudgetResult result{.counter = budget.counter,
                                .case_name = one.name,
                                .counted = counted(one.checked_counts.value_or(one.counts), budget.counter),
                                .allowed = budget.at(one.elements)};
            const bool nearer = !nearest || is_nearer(result, *nearest);
            if (nearer || !result.kept()) nearest = result;
            if (!result.kept()) break;
        }
        if (nearest) results.push_back(*nearest);
    }
    return results;
}

// Compared by cross-multiplying, as an allowance may be 0.
bool is_nearer(const BudgetResult& a, const BudgetResult& b) {
    return a.counted * std::max(b.allowed, 1e-9) >= b.counted * std::max(a.allowed, 1e-9);
}

std::string number_text(const BudgetResult& budget) {
    return is_ratio(budget.counter) ? fmt::format("{:.2f}", budget.counted) : fmt::format("{:.10g}", budget.counted);
}

std::string describe(const BudgetResult& budget) {
    const std::string text = fmt::format("{}: {} counted, {:.10g} allowed ({})", budget.counter,
                                         number_text(budget), budget.allowed, budget.case_name);
    return budget.cause.empty() ? text : text + "\n" + budget.cause;
}

}  // namespace course
