// SPDX-License-Identifier: MIT
#include "judge/work/changes.hpp"

#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace course {

namespace {

/// "9, 11-14": lines that follow each other together, each once.
std::string ranges_text(const std::vector<int>& sorted) {
    std::vector<std::string> parts;
    for (std::size_t k = 0; k < sorted.size();) {
        std::size_t last = k;
        while (last + 1 < sorted.size() && sorted[last + 1] <= sorted[last] + 1) ++last;
        parts.push_back(sorted[last] == sorted[k] ? std::to_string(sorted[k])
                                                  : fmt::format("{}-{}", sorted[k], sorted[last]));
        k = last + 1;
    }
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// "fade.cu: lines 9, 11-14, and 2 lines removed".
std::string places_text(const std::string& file, const ChangedLines& changes) {
    std::vector<std::string> parts;
    const bool one = !changes.changed.empty() && changes.changed.front() == changes.changed.back();
    if (!changes.changed.empty())
        parts.push_back(fmt::format("line{} {}", one ? "" : "s", ranges_text(changes.changed)));
    if (changes.removed > 0)
        parts.push_back(fmt::format("{} line{} removed", changes.removed, changes.removed == 1 ? "" : "s"));
    return fmt::format("{}: {}", file, fmt::join(parts, ", and "));
}

}  // namespace

void judge_changes(const Task& task, const std::map<std::string, ChangedLines>& changes, TaskResult& result) {
    if (!task.changes || result.verdict == Verdict::environment) return;
    int count = 0;
    std::string places;
    for (const std::string& file : task.changes->files) {
        const auto found = changes.find(file);
        if (found == changes.end() || found->second.count == 0) continue;
        count += found->second.count;
        places += "  " + places_text(file, found->second) + "\n";
    }
    BudgetResult budget{.counter = "changed_lines",
                        .case_name = fmt::format("{}", fmt::join(task.changes->files, ", "))};
    budget.counted = count;
    budget.at_most = task.changes->at_most;
    if (!budget.kept() && is_right(result.verdict)) {
        const std::string cure = task.changes->cure.empty()
                                     ? "repair what was given, and leave the rest of it as it was"
                                     : task.changes->cure;
        budget.cause = fmt::format("{} lines of {} are changed, at most {} may be: {}\n{}", count,
                                   fmt::join(task.changes->files, " and "), task.changes->at_most, cure, places) +
                       "  (a statement counts as a line; comments and white space don't count)";
        result.message = budget.cause + (result.message.empty() ? "" : "\n" + result.message);
        budget.decides = true;
        result.verdict = worst(result.verdict, Verdict::not_as_asked);
        result.points = 0;
    }
    result.budgets.push_back(std::move(budget));
}

}  // namespace course
