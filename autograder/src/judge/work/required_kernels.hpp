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

/// "add", or the file's name: what BudgetResult::kernel and check.cpp call it.
const std::string& short_name_of(const RequiredKernel& kernel) noexcept;

/// The kernels that a task requires against those that ran in check mode: one result for each of their bounds, with the
/// largest case that breaks it, or the nearest. `launches` comes first; where the kernel didn't run at all, that is all
/// there is to say. Cases with nothing to do (n = 0) aren't asked.
std::vector<BudgetResult> check_required_kernels(std::span<const RequiredKernel> required,
                                                 std::span<const CheckedWork> cases);

// Whether threads share a launch's work, or one thread, one warp or one block does it all. A launch says how many
// threads there are; which of them work is counted.

/// What is said of a launch whose work nearly all lies with one thread, warp or block, or with a few threads: "one warp
/// of eight did all the work". Empty if it is shared. `n`: how many elements there are to share.
std::string concentration(const WorkSpread& spread, double n, std::string_view work);

/// Judges a budget of that kind by the launch of `kernels` that does most of the work: its work over that of its
/// busiest thread, or, between barriers, over its span, with the least that would do. Nothing where it isn't asked: for
/// another budget, and for a call with less than 4096 elements or 4 for each thread of a block, as a right answer may
/// give that much to one block.
std::optional<BudgetResult> check_parallelism(const Budget& budget, const CheckedWork& one,
                                              std::span<const KernelCounts> kernels);

}  // namespace course
