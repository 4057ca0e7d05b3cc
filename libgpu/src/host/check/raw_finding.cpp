// SPDX-License-Identifier: MIT
#include "host/check/raw_finding.hpp"

#include <algorithm>
#include <utility>

namespace gpu::detail::host {

std::string counted_threads(int count) { return std::to_string(count) + (count == 1 ? " thread" : " threads"); }

namespace {

bool is_race(const RawFinding& finding) {
    return finding.kind == FindingKind::missing_barrier || finding.kind == FindingKind::missing_syncwarp ||
           finding.kind == FindingKind::inter_block_race;
}

bool same_variable(const RawFinding& a, const RawFinding& b) { return a.space == b.space && a.variable == b.variable; }

// One line reads an element that nothing had written, as its first thread, and writes it: in whichever order the
// threads come, the first one finds nothing. What it writes may look like what was there, as a sum with NaN does.
bool updates_unwritten(const RawFinding& race, const RawFinding& read) {
    const auto is_at_read = [&read](const Action& action) {
        return action.place.line == read.action.place.line && action.place.file == read.action.place.file;
    };
    return is_race(race) && read.kind == FindingKind::uninitialized_read && same_variable(race, read) &&
           race.element == read.element && is_at_read(race.action) && is_at_read(race.other) &&
           (race.action.verb == "writes" || race.other.verb == "writes");
}

// A barrier stands between the lines of a race; one place may be between both.
bool one_barrier_cures(const RawFinding& a, const RawFinding& b) {
    if (a.kind == FindingKind::inter_block_race || b.kind == FindingKind::inter_block_race) return false;
    if (a.action.place.file != b.action.place.file) return false;
    const auto [a_first, a_last] = std::minmax(a.action.place.line, a.other.place.line);
    const auto [b_first, b_last] = std::minmax(b.action.place.line, b.other.place.line);
    return std::max(a_first, b_first) < std::min(a_last, b_last);
}

// Which of two races on a variable tells what is to be done: a barrier for warps orders less than one for blocks does.
int reach(FindingKind kind) {
    return kind == FindingKind::inter_block_race ? 2 : kind == FindingKind::missing_barrier ? 1 : 0;
}

// Of a variable's races, the one that needs the widest barrier tells what is to be done. Of several variables, the
// first one in the text is told, whatever the schedule was.
RawFinding merged(const RawFinding& a, const RawFinding& b) {
    const auto lines = [](const RawFinding& race) {
        return std::minmax({race.action.place.line, race.other.place.line});
    };
    const bool takes_b = same_variable(a, b) ? reach(b.kind) > reach(a.kind) : lines(b) < lines(a);
    RawFinding both = takes_b ? b : a;
    if (reach(a.kind) > reach(both.kind)) both.kind = a.kind;
    if (reach(b.kind) > reach(both.kind)) both.kind = b.kind;
    both.times = a.times + b.times;
    if (same_variable(a, b)) {
        both.several_write = a.several_write || b.several_write;
        both.one_line_writes = a.one_line_writes || b.one_line_writes;
    }
    return both;
}

}  // namespace

void FindingLog::add_fatal(FoundAt at, RawFinding finding) {
    const std::lock_guard lock(mutex_);
    if (has_fatal_ && fatal_.at < at) return;
    has_fatal_ = true;
    fatal_ = {at, std::move(finding)};
}

bool FindingLog::has_fatal() const {
    const std::lock_guard lock(mutex_);
    return has_fatal_;
}

std::vector<RawFinding> FindingLog::all() const {
    std::vector<const Entry*> order;
    for (const auto& [key, entry] : entries_)
        if (!has_fatal_ || entry.at < fatal_.at) order.push_back(&entry);
    std::sort(order.begin(), order.end(), [](const Entry* a, const Entry* b) { return a->at < b->at; });
    std::vector<RawFinding> findings;
    for (const Entry* entry : order) findings.push_back(entry->finding);
    if (has_fatal_) findings.push_back(fatal_.finding);
    return findings;
}

std::vector<RawFinding> without_consequences(std::vector<RawFinding> findings) {
    std::vector<RawFinding> result;
    for (const RawFinding& finding : findings) {
        const auto same = std::find_if(result.begin(), result.end(), [&finding](const RawFinding& other) {
            return is_race(finding) && is_race(other) &&
                   (same_variable(finding, other) || one_barrier_cures(finding, other));
        });
        if (same == result.end())
            result.push_back(finding);
        else
            *same = merged(*same, finding);
    }
    const auto any_finding = [&findings](auto&& holds) { return std::any_of(findings.begin(), findings.end(), holds); };
    for (RawFinding& race : result)
        if (any_finding([&race](const RawFinding& read) { return updates_unwritten(race, read); }))
            race.one_line_writes = true;
    // A thread that reads too early finds what nobody has written yet.
    std::erase_if(result, [&](const RawFinding& finding) {
        return finding.kind == FindingKind::uninitialized_read &&
               any_finding([&](const RawFinding& race) { return is_race(race) && same_variable(finding, race); }) &&
               !any_finding([&](const RawFinding& race) { return updates_unwritten(race, finding); });
    });
    return result;
}

}  // namespace gpu::detail::host
