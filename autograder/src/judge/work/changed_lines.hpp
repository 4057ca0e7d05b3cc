// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "manifest/manifest.hpp"
#include "verdict/verdict.hpp"

namespace course {

/// The lines that an answer changes in its stub.
struct ChangedLines {
    int count = 0;              ///< the minimum of lines to replace, add or remove to get from one to the other
    std::vector<int> changed;   ///< lines of the answer that were replaced or added, from 1
    int removed = 0;            ///< lines of the stub that nothing replaces
};

/// Compares an answer's text with the stub's. Each statement counts as one line, however it is broken into lines, and
/// several on a line count as several; comments, white space and lone braces don't count.
ChangedLines changed_lines(std::string_view stub, std::string_view answer);

/// If a task limits the lines that an answer changes, adds their number to its budgets. Right values with more changes
/// become `not as asked`, and the message says how many and where.
void judge_changes(const Task& task, const std::map<std::string, ChangedLines>& changes, TaskResult& result);

}  // namespace course
