// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/verdict.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// The value of a counter by its name in manifest/names.hpp. @throws ManifestError for another name.
double counted(const protocol::CountsRecord& counts, std::string_view counter);

/// True if only the host backend counts it: it is judged where the case ran in check mode.
bool counted_on_host_only(std::string_view counter) noexcept;

/// What the calls of a task's cases cost against its budgets (those of kernels' work apart: work_budgets.hpp): one
/// result for each budget, with the first case that exceeds it, or the last of those that come nearest. What check mode
/// counted decides, on every machine; of a case that didn't run there, what libgpu counted in the usual run. Cases that
/// didn't return aren't counted.
std::vector<BudgetResult> check_budgets(std::span<const Budget> budgets, std::span<const CaseResult> cases);

/// True if `a` comes as near to its limit as `b` or nearer: of equal ones the last is told, mostly the largest case.
bool is_nearer(const BudgetResult& a, const BudgetResult& b);

/// What was counted: "3", of a ratio "4.03".
std::string number_text(const BudgetResult& budget);

/// "copies_to_device: 3 counted, 2 allowed (n = 257)", and on the next line the cause, if it is known.
std::string describe(const BudgetResult& budget);

}  // namespace course
