// SPDX-License-Identifier: MIT
#include "author/planted_answer.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace course {

std::string why_not_caught(const PlantedAnswer& answer, const Result& result, const std::string& screen) {
    const auto meant = std::find_if(result.tasks.begin(), result.tasks.end(),
                                    [&](const TaskResult& task) { return task.id == answer.task; });
    const bool star = meant != result.tasks.end() && meant->star;   // whose verdict is its own affair
    const Verdict got = star ? meant->verdict : result.verdict;
    const std::string_view verdict = to_string(got);
    if (answer.verdict.empty() && exit_code(got) != 1)
        return fmt::format("should fail; it got \"{}\":", verdict);
    if (!answer.verdict.empty() && verdict != answer.verdict)
        return fmt::format("should get \"{}\"; it got \"{}\":", answer.verdict, verdict);
    if (!answer.task.empty() && (meant == result.tasks.end() || is_passed(*meant)))
        return fmt::format("should fail in the task {}, and passed it:", answer.task);
    if (screen.find(answer.says) == std::string::npos) return fmt::format("should say \"{}\":", answer.says);
    return "";
}

std::string why_tag_not_shown(const PlantedAnswer& answer, const Result& result) {
    if (!answer.tag) return "";
    std::set<int> shown;
    for (const TaskResult& task : result.tasks)
        if (answer.task.empty() || task.id == answer.task) shown.insert(task.tags.begin(), task.tags.end());
    if (shown.contains(*answer.tag)) return "";
    return fmt::format("has tag {}, which its verdict doesn't show (it shows {})", *answer.tag,
                       shown.empty() ? "none" : fmt::format("{}", fmt::join(shown, ", ")));
}

}  // namespace course
