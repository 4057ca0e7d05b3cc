// SPDX-License-Identifier: MIT
#include "verdict/tags.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace course {

namespace {

void add(std::vector<int>& tags, int tag) {
    const auto place = std::lower_bound(tags.begin(), tags.end(), tag);
    if (tag > 0 && (place == tags.end() || *place != tag)) tags.insert(place, tag);
}

/// The tags of all signs that the text holds.
std::vector<int> tags_in(const std::string& text, const std::vector<Sign>& signs) {
    std::vector<int> tags;
    for (const Sign& sign : signs)
        if (text.find(sign.says) != text.npos) add(tags, sign.tag);
    return tags;
}

}  // namespace

int tag_of(const Finding& finding) noexcept {
    switch (finding.kind) {
        case FindingKind::missing_barrier:
        case FindingKind::divergent_barrier:
        case FindingKind::skipped_barrier: return 5;
        case FindingKind::uninitialized_read: return finding.rule == protocol::shared_memory_rule ? 7 : 0;
        case FindingKind::host_access:
        case FindingKind::host_pointer: return 11;
        case FindingKind::missing_event:
        case FindingKind::host_buffer_in_use: return 15;
        case FindingKind::out_of_bounds:   // a guard, an index with x and y exchanged, a border, ...
        case FindingKind::missing_syncwarp:
        case FindingKind::inter_block_race:
        case FindingKind::deadlock:
        case FindingKind::misaligned_access:
        case FindingKind::division_by_zero:
        case FindingKind::endless_loop:
        case FindingKind::stack_overflow:
        case FindingKind::failed_assertion:
        case FindingKind::inactive_lane:
        case FindingKind::wide_shift:
        case FindingKind::constant_write: break;
    }
    return 0;
}

void note_tags(const Task& task, TaskResult& result) {
    if (is_passed(result) || result.verdict == Verdict::environment || result.verdict == Verdict::not_started) return;
    const auto all = [&](const std::vector<int>& tags) {
        for (const int tag : tags) add(result.tags, tag);
    };
    for (CaseResult& one : result.cases) {
        if (exit_code(one.verdict) == 0) continue;
        const std::string pattern = one.difference ? one.difference->pattern + "\n" : "";
        one.tags = tags_in(pattern + one.message, task.signs);
    }
    if (const CaseResult* const shown = telling_case(result)) all(shown->tags);
    if (result.check) {
        for (const FoundMistake& found : result.check->found) {
            const Finding& finding = found.finding;
            std::vector<int> tags = tags_in(
                fmt::format("{}: {}\n{}", to_string(finding.kind), finding.what, finding.advice), task.signs);
            if (tags.empty()) add(tags, tag_of(found.finding));
            all(tags);
            for (CaseResult& one : result.cases)
                if (one.name == found.case_name)
                    for (const int tag : tags) add(one.tags, tag);
        }
    }
    if (result.predictions && result.predictions->right < result.predictions->at_least)
        for (const WrongPrediction& one : result.predictions->wrong)
            if (!one.predicted.empty()) all(tags_in(one.what, task.signs));
    for (const BudgetResult& budget : result.budgets)
        if (budget.decides) add(result.tags, budget.tag);
}

}  // namespace course
