// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <course/check_host.hpp>

#include "judge/values/compare.hpp"
#include "judge/values/random_inputs.hpp"
#include "manifest/manifest.hpp"
#include "run/caller.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// A small case that can be called again, with its own copy of the arguments and the expected results.
struct ReplayableCase {
    std::size_t index = 0;      ///< in TaskResult::cases
    std::int64_t elements = 0;  ///< of its arguments and results, in total
    const Function* function = nullptr;
    std::vector<Value> arguments;
    std::vector<std::optional<Expected>> expected;  ///< per result; none where a property was checked
};

/// The same expectation with its own copy of the values: it outlives the check.
Expected keep(const Expected& expected);

/// Compares result `k` of another call of this case with its expectation. @pre it has one
Comparison compare_result(const ReplayableCase& one, const CallResult& reply, std::size_t k,
                          FreshMemory fresh = FreshMemory::stayed);

/// A small case that hasn't been called: its arguments, expected results, and its line in the result.
struct DrawnCase {
    CaseResult result;
    ReplayableCase kept;
};

/// Calls a secret share of these cases, whose sizes the answer has seen with other values: this finds answers that keep
/// results of earlier calls, or are right only the first time. Half of the share is called here, in the process of the
/// earlier calls; the other half is added to `kept`, for the process of check mode. For a task whose values are right.
/// @throws CallFault.
void judge_drawn_anew(std::vector<DrawnCase> drawn, RandomBits& secret, Caller& caller,
                      std::vector<ReplayableCase>& kept, TaskResult& result);

/// The message for a case that was right with the values of the first run.
inline constexpr const char* wrong_when_drawn_anew =
    "right at first, and wrong for other values of the same size: is something kept of an earlier call (a static\n"
    "variable, a result that is found by its size), or is the result left to chance?";

/// Removes cases that were drawn again and passed from the result: they were right before already.
void drop_passed_again(TaskResult& result, std::vector<ReplayableCase>& kept);

}  // namespace course
