// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <vector>

#include "judge/work/work_budgets.hpp"
#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// True if it is this kernel, or an instance of this template, of the required one's file.
bool is_instance(const KernelWork& kernel, const RequiredKernel& required);

/// "the kernel add of raw_add.cu", "a kernel of elementwise.cpp".
std::string name_of(const RequiredKernel& kernel);

/// "add", or the file's name: what BudgetResult::kernel and check.cpp call it.
const std::string& short_name_of(const RequiredKernel& kernel) noexcept;

/// The kernels that a task requires against those that ran in check mode: one result for each of their bounds, with the
/// largest case that breaks it, or the nearest. `launches` comes first; where the kernel didn't run at all, that is all
/// there is to say. Cases with nothing to do (n = 0) aren't asked.
std::vector<BudgetResult> check_required_kernels(std::span<const RequiredKernel> required,
                                                 std::span<const CheckedWork> cases);

}  // namespace course
