// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// A case's kernels in check mode.
struct CheckedWork {
    std::string case_name;
    CallSize size;
    std::vector<KernelWork> kernels;
    std::vector<StatedBudget> stated = {};
};

/// A counter of check mode, by its name in manifest/names.hpp; a ratio of nothing is 0. The percent of bytes used is
/// 100 for work on less than 1 KiB: so few bytes don't fill their sectors. @throws ManifestError
double counted(const Work& work, std::string_view counter);

/// The same of all kernels: the sum of what they did, or a ratio's value where it is worst.
double counted(std::span<const KernelWork> kernels, std::string_view counter);

/// The work of all kernels together.
Work total(std::span<const KernelWork> kernels) noexcept;

/// The share of the bytes in all sectors moved that threads asked for, up to 1; 1 if none were moved.
double used_share(const Work& work) noexcept;

/// What makes a counter as large as it is: the worst line of the kernels, and what would do there. Empty if there is
/// nothing to say.
struct WorkCause {
    std::string text;
    bool index_is_wrong = false, ledger_shows_it = false;
    bool replaces_cure = false;   ///< the author's cure is for another cause
};
WorkCause cause_of_work(std::span<const KernelWork> kernels, std::string_view counter);

/// Notes it in the result, and below it what is known to help: an author's cure isn't for a wrong index.
void add_cause(BudgetResult& result, const WorkCause& cause, const std::string& cure);

/// True of a kernel that the student wrote whole, and no library around a piece of text.
bool is_raw(const KernelWork& kernel);

/// Kernels' work against the budgets and what the check states: one result for each budget of that kind, as
/// check_budgets() gives them; one that is exceeded names the worst line. Parallelism is that of raw kernels.
std::vector<BudgetResult> check_work_budgets(std::span<const Budget> budgets, std::span<const CheckedWork> cases);

}  // namespace course
