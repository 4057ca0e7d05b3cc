// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "judge/work/changed_lines.hpp"
#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// Where a task limits the lines that an answer changes: adds their number to its budgets. Right values with more of
/// them become `not as asked`, and the message says how many and where.
void judge_changes(const Task& task, const std::map<std::string, ChangedLines>& changes, TaskResult& result);

}  // namespace course
