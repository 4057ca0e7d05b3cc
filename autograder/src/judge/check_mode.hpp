// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <course/check_host.hpp>

#include "manifest/manifest.hpp"
#include "run/caller.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// A small case that can be called again in check mode: its own copy of what goes in and of what must come out.
struct KeptCase {
    std::size_t index = 0;      ///< in TaskResult::cases
    std::int64_t elements = 0;  ///< of its arguments and results, all in all
    const Function* function = nullptr;
    std::vector<Value> arguments;
    std::vector<std::optional<Expected>> expected;  ///< of each result; none where a property was looked at
};

/// The same expectation with values of its own: it outlives the check.
Expected keep(const Expected& expected);

/// The second run of a task's verdict: calls some of its small cases again, in check mode, on the host backend wherever
/// the first run was.
///
/// A task whose values are right: mistakes that check mode finds make it `wrong`, or `crashed` where a kernel left its
/// arrays or couldn't go on; a required kernel that didn't run as it must, `not as asked`; exceeded budgets, `over
/// budget`. A task that failed: its smallest failed cases are called until check mode finds the cause; one that a GPU
/// let run on has crashed here too. What check mode says never makes a verdict better. Points are set to what the
/// verdict earns.
void judge_in_check_mode(const Task& task, std::span<const KeptCase> kept, Caller& caller, TaskResult& result);

}  // namespace course
