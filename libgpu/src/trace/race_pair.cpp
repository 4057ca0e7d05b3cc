// SPDX-License-Identifier: MIT
#include <algorithm>
#include <sstream>

#include "trace/pictures.hpp"

namespace gpu::detail::trace {

namespace {

std::string missing_between(FindingKind kind) {
    switch (kind) {
        case FindingKind::missing_barrier: return "no __syncthreads() between the two";
        case FindingKind::missing_syncwarp: return "no __syncwarp() between the two";
        case FindingKind::inter_block_race: return "blocks don't wait for each other: nothing orders the two";
        default: return "";
    }
}

// What this side's access read or wrote: of a race, the access that raced; else the last one of its thread and line at
// the element.
const TracedAccess* access_of(const TracedLaunch& launch, const TracedFinding& finding,
                              const TracedFinding::Side& side) {
    if (side.access >= 0) return &launch.accesses[static_cast<std::size_t>(side.access)];
    if (!missing_between(finding.kind).empty()) return nullptr;
    const TracedAccess* last = nullptr;
    for (const TracedAccess& access : launch.accesses) {
        if (access.block != side.block || access.thread != side.thread || access.line != side.line || access.array < 0)
            continue;
        const TracedArray& array = launch.arrays[static_cast<std::size_t>(access.array)];
        if (element_name(array, access.byte / std::max(1U, array.element)) == finding.element) last = &access;
    }
    return last;
}

// What each of the two got or left here, and what it would have been the other way round.
std::string both_values(const TracedLaunch& launch, const TracedFinding& finding) {
    const TracedAccess* const first = access_of(launch, finding, finding.first);
    const TracedAccess* const second = access_of(launch, finding, finding.second);
    if (first == nullptr || second == nullptr || first->byte != second->byte || first->bytes != second->bytes)
        return "";
    const TracedArray& array = launch.arrays[static_cast<std::size_t>(first->array)];
    using enum MemoryOperation;
    if (first->operation == atomic || second->operation == atomic) return "";
    std::string here, other, what = "the read gets ";
    if (first->operation == write && second->operation == write) {
        what = "the element keeps ";
        here = value_text(array, *second);
        other = value_text(array, *first);
    } else if (first->operation == write) {
        here = value_text(array, *second);
        other = value_before(array, *first);
    } else {
        here = value_text(array, *first);
        other = value_text(array, *second);
    }
    if (here == other) return "Either way " + what + here + ": these values don't give the race away.";
    return "In this order " + what + here + "; in the other one it would be " + other + '.';
}

void draw_side(Drawing& drawing, const TracedLaunch& launch, const TracedFinding& finding,
               const TracedFinding::Side& side, double x, double y) {
    constexpr double wide = 420, high = 62;
    drawing.box(x, y, wide, high, "e", {{"data-t", std::to_string(side.thread)}});
    drawing.box(x, y, 10, high, "t", {{"fill", colour_of(side.thread)}, {"data-t", std::to_string(side.thread)}});
    std::string who =
        "thread " + index_text(side.thread, launch.block) + " of block " + index_text(side.block, launch.grid);
    std::string what =
        side.verb + (side.verb.empty() ? "" : " ") + (finding.element.empty() ? finding.variable : finding.element);
    if (finding.kind == FindingKind::skipped_barrier) what = "ended, and never came to " + what;
    if (const TracedAccess* const access = access_of(launch, finding, side))
        what += (access->operation == MemoryOperation::read ? ", and gets " : ", and leaves ") +
                value_text(launch.arrays[static_cast<std::size_t>(access->array)], *access);
    drawing.label(x + 20, y + 17, who);
    drawing.label(x + 20, y + 34, what);
    std::string where = "line " + std::to_string(side.line) + ": " + line_text(launch, side.line);
    if (where.size() > 52) where = where.substr(0, 49) + "...";
    drawing.label(x + 20, y + 51, where, "s");
    drawing.text.push_back("  " + who + ' ' + what);
    drawing.text.push_back("    " + where);
}

// One line that gives an element to several threads: no barrier between them would help.
bool is_written_twice(const TracedFinding& finding) {
    return !missing_between(finding.kind).empty() && finding.first.line == finding.second.line &&
           finding.first.verb == "writes" && finding.second.verb == "writes";
}

}  // namespace

Drawing race_pair(const TracedLaunch& launch, const TracedFinding& finding) {
    Drawing drawing;
    const bool twice = is_written_twice(finding);
    drawing.title = (twice ? "written twice" : std::string(to_string(finding.kind))) +
                    (finding.element.empty() ? "" : ": " + finding.element);
    const std::string missing = twice ? "two threads have this element" : missing_between(finding.kind);
    const bool pair = finding.first.block >= 0 && finding.second.block >= 0 && !missing.empty();
    drawing.question = pair ? "Which of the two comes first? Here it was the upper one; on a GPU it may be either."
                   : finding.kind == FindingKind::skipped_barrier
                       ? "All threads of the block should come to this barrier. Which way did this one take?"
                       : "What did this thread do, and what should have kept it from that?";
    drawing.text.push_back(drawing.title);
    double y = 4;
    if (finding.first.block >= 0 && finding.first.line > 0) {
        draw_side(drawing, launch, finding, finding.first, 4, y);
        y += 66;
    }
    if (pair) {
        drawing.line(20, y, 20, y + 34, "ar");
        drawing.line(34, y + 17, 60, y + 17, "gone");
        drawing.label(70, y + 21, missing, "b");
        drawing.text.push_back("  -- " + missing);
        y += 38;
        draw_side(drawing, launch, finding, finding.second, 4, y);
        y += 70;
        if (const std::string values = both_values(launch, finding); !values.empty()) {
            drawing.label(4, y + 14, values);
            drawing.text.push_back("  " + values);
            y += 24;
        }
    }
    std::istringstream lines(finding.text);
    for (std::string line; std::getline(lines, line); y += 16) {
        drawing.label(4, y + 14, line, "s");
        drawing.text.push_back("  " + line);
    }
    drawing.reach(4, y + 8);
    return drawing;
}

Drawing no_findings() {
    Drawing drawing;
    drawing.title = "no findings";
    drawing.question = "Check mode found no race, no access out of bounds, no value that nobody wrote.";
    drawing.label(4, 16, "No two threads share a word between two barriers but by reading it, or by atomics.");
    drawing.text.push_back("no findings");
    return drawing;
}

}  // namespace gpu::detail::trace
