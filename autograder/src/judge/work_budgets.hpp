// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/verdict.hpp"
#include "manifest/manifest.hpp"

namespace course {

/// A case's kernels in check mode.
struct CheckedWork {
    std::string case_name;
    std::int64_t elements = 0;
    std::vector<KernelWork> kernels;
};

/// A counter of check mode, by its name in manifest/names.hpp; a ratio of nothing is 0. @throws ManifestError
double counted(const Work& work, std::string_view counter);

/// The same of all kernels: the sum of what they did, or a ratio's value where it is worst.
double counted(std::span<const KernelWork> kernels, std::string_view counter);

/// The work of all kernels together.
Work total(std::span<const KernelWork> kernels) noexcept;

/// The share of the bytes in all sectors moved that threads asked for, up to 1; 1 if none were moved.
double used_share(const Work& work) noexcept;

/// Kernels' work against the budgets: one result for each budget of that kind, as check_budgets() gives them; one that
/// is exceeded names the worst line.
std::vector<BudgetResult> check_work_budgets(std::span<const Budget> budgets, std::span<const CheckedWork> cases);

}  // namespace course
