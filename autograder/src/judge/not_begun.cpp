// SPDX-License-Identifier: MIT
#include "judge/not_begun.hpp"

#include <algorithm>
#include <set>

namespace course {

namespace {

using Names = std::set<std::string>;

/// What the task calls and launches, as far as the student writes it.
Names functions_of(const Task& task, const TaskResult& result, const std::map<std::string, bool>& written) {
    Names names;
    const auto take = [&](const std::string& name) {
        if (written.contains(name)) names.insert(name);
    };
    for (const CaseResult& one : result.cases) take(one.function);
    for (const RequiredKernel& kernel : task.kernels) take(kernel.name);
    return names;
}

bool says_nothing_of_the_stub(const Task& task, const TaskResult& result) {
    const bool judged = result.verdict != Verdict::not_started && result.verdict != Verdict::environment;
    return judged && !is_passed(result) && !is_right(result.verdict) && !task.changes &&
           (!result.check || result.check->found.empty());
}

}  // namespace

std::vector<NotBegun> tasks_not_begun(const Manifest& manifest, const std::map<std::string, bool>& functions_begun,
                                      const std::vector<TaskResult>& results) {
    std::vector<Names> functions;
    for (std::size_t k = 0; k < results.size(); ++k)
        functions.push_back(functions_of(manifest.tasks[k], results[k], functions_begun));
    std::vector<NotBegun> not_begun;
    bool any_begun = false;
    for (std::size_t k = 0; k < results.size(); ++k) {
        if (results[k].star) continue;
        Names own = functions[k];   // a kernel that several tasks launch tells of none of them
        for (std::size_t j = 0; j < results.size(); ++j)
            if (j != k) std::erase_if(own, [&](const std::string& name) { return functions[j].contains(name); });
        if (own.empty()) own = functions[k];
        const bool untouched = !own.empty() && std::none_of(own.begin(), own.end(), [&](const std::string& name) {
            return functions_begun.at(name);
        });
        any_begun = any_begun || !untouched;
        if (untouched && says_nothing_of_the_stub(manifest.tasks[k], results[k]))
            not_begun.push_back({k, {own.begin(), own.end()}});
    }
    if (!any_begun) not_begun.clear();
    return not_begun;
}

}  // namespace course
