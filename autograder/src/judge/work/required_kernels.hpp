// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/work/budgets.hpp"
#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// True if it is this kernel, or an instance of this template, of the required one's file.
bool is_instance(const KernelCounts& kernel, const RequiredKernel& required);

/// "the kernel add of raw_add.cu", "a kernel of elementwise.cpp".
std::string name_of(const RequiredKernel& kernel);

/// "add", or the file's name: the name in BudgetResult::kernel and check.cpp.
const std::string& short_name_of(const RequiredKernel& kernel) noexcept;

/// Compares the kernels that a task requires with those that ran in check mode: one result for each bound, with the
/// largest case that breaks it, or the nearest. `launches` comes first; if the kernel didn't run at all, it is the only
/// one. Cases with nothing to do (n = 0) are skipped.
std::vector<BudgetResult> check_required_kernels(std::span<const RequiredKernel> required,
                                                 std::span<const CheckedWork> cases);

// Whether threads share a launch's work, or one thread, one warp or one block does it all. The launch gives the number
// of threads; which of them work is counted.

/// The sentence for a launch whose work is nearly all done by one thread, warp or block, or by a few threads: "one warp
/// of eight did all the work". Empty if it is shared. `n`: the number of elements to share.
std::string concentration(const WorkSpread& spread, double n, std::string_view work);

/// Judges a budget of that kind by the launch of `kernels` that does most of the work: its work over that of its
/// busiest thread or, between barriers, over its span, with the minimum required. Nothing if it doesn't apply: to
/// another budget, or to a call with less than 4096 elements or 4 for each thread of a block, which a right answer may
/// give to one block.
/// give that much to one block.
std::optional<BudgetResult> check_parallelism(const Budget& budget, const CheckedWork& one,
                                              std::span<const KernelCounts> kernels);

}  // namespace course
