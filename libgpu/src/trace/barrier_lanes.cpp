// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "base.hpp"
#include "trace/pictures.hpp"

namespace gpu::detail::trace {

namespace {

constexpr int lane_size = 14;
constexpr int max_drawn_rows = 60;

struct Row {
    int line = 0;
    std::map<int, int> accesses;  // by thread
};

struct Interval {
    std::vector<Row> rows;  // by line
    std::vector<const TracedStop*> stops;
};

std::map<int, Interval> intervals_of(const TracedLaunch& launch, const Window& window) {
    std::map<int, Interval> intervals;
    for (const TracedAccess& access : launch.accesses) {
        if (!window.holds(access.block, access.thread)) continue;
        std::vector<Row>& rows = intervals[access.interval].rows;
        auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.line == access.line; });
        if (row == rows.end()) row = rows.insert(rows.end(), Row{access.line, {}});
        ++row->accesses[access.thread];
    }
    for (const TracedStop& stop : launch.stops)
        if (window.holds(stop.block, stop.thread)) intervals[stop.interval].stops.push_back(&stop);
    for (auto& [number, interval] : intervals)
        std::sort(interval.rows.begin(), interval.rows.end(),
                  [](const Row& a, const Row& b) { return a.line < b.line; });
    return intervals;
}

std::string counted_text(std::size_t count, const char* one, const char* more) {
    return std::to_string(count) + (count == 1 ? one : more);
}

// The state of the block at the end of an interval, in words.
std::string ending_of(const TracedLaunch& launch, const Window& window, int interval) {
    std::map<int, std::size_t> waits, passed;
    std::set<int> recorded;  // only some of a large block's threads are
    std::size_t ended = 0, all = 0;
    for (const TracedStop& stop : launch.stops) {
        if (stop.block != window.block) continue;
        recorded.insert(stop.thread);
        if (stop.kind == StopKind::ends && stop.interval <= interval) ++ended;
        if (stop.interval != interval) continue;
        ++all;
        if (stop.kind == StopKind::waits) ++waits[stop.line];
        if (stop.kind == StopKind::barrier) ++passed[stop.line];
    }
    const bool is_part = launch.left_out > 0 && !recorded.empty() && *recorded.rbegin() + 1 < launch.threads();
    const std::string of = is_part ? " of the " + std::to_string(recorded.size()) + " recorded"
                                   : " of " + std::to_string(launch.threads());
    std::string text;
    for (const auto& [line, count] : waits)
        text += (text.empty() ? "" : ", ") +
                counted_text(count, (of + " waits at line ").c_str(), (of + " wait at line ").c_str()) +
                std::to_string(line);
    for (const auto& [line, count] : passed)
        text += "line " + std::to_string(line) + ": barrier, " + std::to_string(count) + of + " threads";
    if (ended > 0 && (!text.empty() || all > 0))
        text += (text.empty() ? "" : ", ") + std::to_string(ended) + (text.empty() ? of : "") + " ended";
    return text;
}

// The races of a block's threads: which thread, on which line, and with what.
std::map<int, std::map<int, std::string>> races_of(const TracedLaunch& launch, int block) {
    std::map<int, std::map<int, std::string>> races;
    for (const TracedFinding& finding : launch.findings) {
        if (!is_race(finding.kind)) continue;
        for (const TracedFinding::Side* const side : {&finding.first, &finding.second})
            if (side->block == block) races[side->line][side->thread] = finding.element;
    }
    return races;
}

// How often a barrier of the block opened in total, and for threads of the window.
std::pair<std::size_t, std::size_t> barriers_of(const TracedLaunch& launch, const Window& window) {
    std::set<int> all, drawn;
    for (const TracedStop& stop : launch.stops) {
        if (stop.block != window.block || stop.kind != StopKind::barrier) continue;
        all.insert(stop.interval);
        if (window.holds(stop.block, stop.thread)) drawn.insert(stop.interval);
    }
    return {all.size(), drawn.size()};
}

}  // namespace

Drawing barrier_lanes(const TracedLaunch& launch, const Window& window) {
    Drawing drawing;
    const std::map<int, Interval> intervals = intervals_of(launch, window);
    bool stuck = false, uneven = false;
    for (const auto& [number, interval] : intervals)
        for (const TracedStop* const stop : interval.stops) stuck = stuck || stop->kind == StopKind::waits;
    const auto [barriers, drawn] = barriers_of(launch, window);
    drawing.title =
        counted_text(barriers, " barrier", " barriers") + " in block " + index_text(window.block, launch.grid);
    if (drawn < barriers) drawing.title += ", " + std::to_string(drawn) + " of them for the threads drawn here";
    if (stuck) drawing.title += ", and one that never opens";
    drawing.question = "Where does a thread wait, for whom, and which lines do only some of the lanes come to?";
    constexpr double left = 60;
    double y = 14;
    drawing.label(0, y, "thread", "s");
    for (int k = 0; k < window.count; k += 8)
        drawing.label(left + k * lane_size, y, std::to_string(window.first + k), "s");
    y += 6;
    drawing.text.push_back("threads " + std::to_string(window.first) + " to " +
                           std::to_string(window.first + window.count - 1) + " of block " +
                           index_text(window.block, launch.grid) + ", time goes down");
    const std::map<int, std::map<int, std::string>> races = races_of(launch, window.block);
    std::set<int> gone;
    int rows_drawn = 0;
    std::size_t rows_left_out = 0;
    for (const auto& [number, interval] : intervals) {
        std::set<int> here;
        for (const TracedStop* const stop : interval.stops)
            if (stop->kind == StopKind::waits) here.insert(stop->thread);
        for (const Row& row : interval.rows) {
            if (rows_drawn >= max_drawn_rows) {
                ++rows_left_out;
                continue;
            }
            ++rows_drawn;
            drawing.label(0, y + 11, row.line > 0 ? "line " + std::to_string(row.line) : "", "s");
            std::string text, race;
            const auto racing = races.find(row.line);
            for (int k = 0; k < window.count; ++k) {
                const int thread = window.first + k;
                const double x = left + k * lane_size;
                const auto found = row.accesses.find(thread);
                if (found == row.accesses.end()) {
                    if (gone.count(thread) == 0) drawing.box(x + lane_size / 2.0 - 0.5, y, 1, lane_size, "o");
                    text += gone.count(thread) != 0 ? ' ' : '.';
                    uneven = uneven || gone.count(thread) == 0;
                    continue;
                }
                drawing.box(x + 1, y + 1, lane_size - 2, lane_size - 2, "t",
                            {{"fill", colour_of(thread)}, {"data-t", std::to_string(thread)}},
                            "thread " + index_text(thread, launch.block) + ": line " + std::to_string(row.line) + ", " +
                                plural(found->second, "access", "accesses"));
                const bool races_here = racing != races.end() && racing->second.count(thread) != 0;
                if (races_here) {
                    drawing.box(x + 1, y + 1, lane_size - 2, lane_size - 2, "f");
                    race = "race on " + racing->second.at(thread);
                }
                text += races_here ? '!' : '#';
            }
            if (!race.empty()) {
                drawing.label(left + window.count * lane_size + 6, y + 11, race, "b");
                text += "  " + race;
            }
            std::string head = row.line > 0 ? "line " + std::to_string(row.line) : "";
            head.resize(std::max<std::size_t>(head.size(), 9), ' ');
            drawing.text.push_back(head + text);
            y += lane_size;
        }
        if (rows_drawn >= max_drawn_rows && rows_left_out > 0) continue;
        // A bar under the threads that arrived at the barrier; a broken one under those for which it never opened, and
        // under those that had ended and never arrived.
        const bool opened = std::any_of(interval.stops.begin(), interval.stops.end(), [](const TracedStop* stop) {
            return stop->kind == StopKind::barrier;
        });
        bool skipped = false;
        std::string bar;
        for (int k = 0; k < window.count; ++k) {
            const int thread = window.first + k;
            char mark = ' ';
            for (const TracedStop* const stop : interval.stops) {
                if (stop->thread != thread) continue;
                const double x = left + k * lane_size;
                if (stop->kind == StopKind::barrier) {
                    drawing.line(x, y + 5, x + lane_size, y + 5, "bar");
                    mark = '=';
                } else if (stop->kind == StopKind::waits) {
                    drawing.line(x, y + 5, x + lane_size, y + 5, "gone");
                    mark = '?';
                } else {
                    drawing.box(x + 4, y + 3, lane_size - 8, 4, "o", {},
                                "thread " + index_text(thread, launch.block) + " ended");
                    mark = 'e';
                    gone.insert(thread);
                }
            }
            if (opened && gone.count(thread) != 0) {
                const double x = left + k * lane_size;
                drawing.line(x, y + 5, x + lane_size, y + 5, "gone");
                mark = '!';
                skipped = true;
            }
            bar += mark;
        }
        const std::string words = ending_of(launch, window, number);
        drawing.label(left, y + 20, words, here.empty() && !skipped ? "s" : "b");
        drawing.text.push_back("         " + bar + "  " + words);
        y += words.empty() ? 14 : 30;
    }
    if (rows_left_out > 0) {
        const std::string words = std::to_string(rows_left_out) + " rows more aren't drawn";
        drawing.label(0, y + 12, words, "s");
        drawing.text.push_back(words);
    }
    if (uneven && !stuck) drawing.title += ", lanes on different ways";
    if (intervals.empty()) drawing.label(0, y + 12, "no thread of this block accessed memory or met a barrier", "s");
    return drawing;
}

namespace {

std::string missing_between(FindingKind kind) {
    switch (kind) {
        case FindingKind::missing_barrier: return "no __syncthreads() between the two";
        case FindingKind::missing_syncwarp: return "no __syncwarp() between the two";
        case FindingKind::inter_block_race: return "blocks don't wait for each other: nothing orders the two";
        default: return "";
    }
}

// What this side's access read or wrote: for a race, the access that raced; otherwise its thread's last one on its line
// at the element.
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

// What each of the two read or left here, and what it would have been in the other order.
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

// True if one line gives an element to several threads: then no barrier between them would help.
bool is_written_twice(const TracedFinding& finding) {
    return !missing_between(finding.kind).empty() && finding.first.line == finding.second.line &&
           finding.first.verb == "writes" && finding.second.verb == "writes";
}

// The kind, or what it is more exactly.
std::string name_of(const TracedFinding& finding) {
    if (is_written_twice(finding)) return "written twice";
    return finding.text.starts_with("lost update: ") ? "lost update" : std::string(to_string(finding.kind));
}

}  // namespace

Drawing race_pair(const TracedLaunch& launch, const TracedFinding& finding) {
    Drawing drawing;
    const std::string name = name_of(finding);
    drawing.title = name + (finding.element.empty() ? "" : ": " + finding.element);
    const std::string missing = name == "written twice" ? "two threads have this element"
                                : name == "lost update" ? "a read and a write are two steps: others come in between"
                                                        : missing_between(finding.kind);
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
