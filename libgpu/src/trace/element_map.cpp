// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include "trace/pictures.hpp"

namespace gpu::detail::trace {

namespace {

constexpr int cell = 18;
constexpr std::int64_t most_cells = 512;

// Who accesses one element, in one way.
struct Visits {
    std::vector<const TracedAccess*> first;  // of each thread of the window
    bool by_others = false;                  // by threads beyond the window
    int threads = 0;                         // all that were recorded
};

// One array, either read or written.
struct Band {
    int array = 0;
    bool writes = false;
    std::map<std::int64_t, Visits> elements;
};

std::int64_t index_of(const TracedArray& array, std::int64_t byte) {
    const std::int64_t size = std::max(1U, array.element);
    return byte >= 0 ? byte / size : -((-byte + size - 1) / size);
}

Band band_of(const TracedLaunch& launch, const Window& window, int number, bool writes) {
    Band band{number, writes, {}};
    const TracedArray& array = launch.arrays[static_cast<std::size_t>(number)];
    std::map<std::int64_t, std::set<std::pair<int, int>>> seen;
    for (const TracedAccess& access : launch.accesses) {
        if (access.array != number || (access.operation == MemoryOperation::read) == writes) continue;
        // A block has shared memory of its own.
        if (array.shared && access.block != window.block) continue;
        const std::int64_t begin = index_of(array, access.byte),
                           end = index_of(array, access.byte + static_cast<std::int64_t>(access.bytes) - 1);
        for (std::int64_t k = begin; k <= end; ++k) {
            Visits& visits = band.elements[k];
            const bool is_new = seen[k].insert({access.block, access.thread}).second;
            visits.threads += is_new ? 1 : 0;
            if (!window.holds(access.block, access.thread))
                visits.by_others = true;
            else if (is_new)
                visits.first.push_back(&access);
        }
    }
    return band;
}

struct Range {
    std::int64_t begin = 0, end = 0;  // elements of the array itself
    int columns = 32;
};

// All of a small array, else what lies around the window's own elements.
Range range_of(const TracedArray& array, const Band& band) {
    Range range;
    range.columns =
        !array.lengths.empty() && array.lengths.size() > 1 && array.lengths.back() <= 64 && array.lengths.back() > 0
            ? static_cast<int>(array.lengths.back())
            : 32;
    range.end = array.elements;
    if (array.elements <= most_cells) return range;
    std::int64_t low = array.elements, high = 0;
    for (const auto& [index, visits] : band.elements) {
        if (visits.first.empty() || index < 0 || index >= array.elements) continue;
        low = std::min(low, index);
        high = std::max(high, index + 1);
    }
    if (low >= high) low = 0, high = most_cells;
    range.begin = low / range.columns * range.columns;
    range.end = std::min(
        {array.elements, range.begin + most_cells, (high + range.columns - 1) / range.columns * range.columns});
    return range;
}

std::string threads_of(const Visits& visits) {
    std::string text;
    for (const TracedAccess* const access : visits.first)
        text += (text.empty() ? "" : " ") + std::to_string(access->thread);
    return text;
}

std::string tip_of(const TracedLaunch& launch, const TracedArray& array, std::int64_t index, const Visits& visits) {
    std::string text = element_name(array, index) + ":";
    int told = 0;
    for (const TracedAccess* const access : visits.first) {
        if (told++ == 4) {
            text += " and " + std::to_string(static_cast<int>(visits.first.size()) - 4) + " threads more";
            break;
        }
        text += (told > 1 ? "; thread " : " thread ") + index_text(access->thread, launch.block) + ' ' +
                verb_of(access->operation) + ' ' + (access->out_of_bounds ? "it" : value_text(array, *access));
        if (access->line > 0) text += ", line " + std::to_string(access->line);
    }
    if (visits.first.empty()) text += visits.by_others ? " other threads" : " nobody";
    return text;
}

bool is_racy(const TracedLaunch& launch, const std::string& element) {
    return std::any_of(launch.findings.begin(), launch.findings.end(), [&](const TracedFinding& finding) {
        return finding.first.block >= 0 && finding.second.block >= 0 && finding.element == element;
    });
}

// What the title tells: of all elements that the launch's recorded blocks write.
struct Tally {
    std::int64_t written = 0, of = 0, twice = 0, outside = 0;
};

Tally tally_of(const TracedLaunch& launch) {
    Tally tally;
    for (std::size_t number = 0; number < launch.arrays.size(); ++number) {
        const TracedArray& array = launch.arrays[number];
        std::map<std::int64_t, std::set<std::pair<int, int>>> writers;
        std::set<std::int64_t> outside;
        for (const TracedAccess& access : launch.accesses) {
            if (access.array != static_cast<int>(number)) continue;
            const std::int64_t index = index_of(array, access.byte);
            if (access.out_of_bounds) outside.insert(index);
            if (access.out_of_bounds || access.operation == MemoryOperation::read) continue;
            const std::int64_t end = index_of(array, access.byte + static_cast<std::int64_t>(access.bytes) - 1);
            for (std::int64_t k = index; k <= end; ++k)
                if (access.operation == MemoryOperation::atomic)
                    writers[k];
                else
                    writers[k].insert({access.block, access.thread});
        }
        tally.outside += static_cast<std::int64_t>(outside.size());
        if (array.shared || (writers.empty() && !array.output)) continue;
        tally.of += array.elements;
        tally.written += static_cast<std::int64_t>(writers.size());
        for (const auto& [index, threads] : writers) tally.twice += threads.size() > 1 ? 1 : 0;
    }
    return tally;
}

}  // namespace

Drawing element_map(const TracedLaunch& launch, const Window& window) {
    Drawing drawing;
    const Tally tally = tally_of(launch);
    drawing.title = std::to_string(tally.written) + " of " + std::to_string(tally.of) + " elements written";
    if (tally.of == 0) drawing.title = "nothing written to global memory";
    if (tally.twice > 0) drawing.title += ", " + std::to_string(tally.twice) + " by two threads or more";
    if (tally.outside > 0) drawing.title += ", " + std::to_string(tally.outside) + " out of bounds";
    if (launch.left_out > 0) drawing.title += " (of what was recorded)";
    drawing.question = "Which thread has which element, and does one have none, or two threads the same?";

    double y = 4;
    drawing.label(0, y + 10, "threads of block " + index_text(window.block, launch.grid), "s");
    y += 16;
    for (int k = 0; k < window.count; ++k) {
        const int thread = window.first + k;
        const double x = k % 32 * cell, top = y + k / 32 * cell;
        drawing.box(x, top, cell, cell, "t", {{"fill", colour_of(thread)}, {"data-t", std::to_string(thread)}},
                    "thread " + index_text(thread, launch.block));
        drawing.label(x + cell / 2.0, top + 13, std::to_string(thread), "c");
    }
    y += (window.count + 31) / 32 * cell + 14;
    drawing.text.push_back("block " + index_text(window.block, launch.grid) + ", threads " +
                           std::to_string(window.first) + " to " + std::to_string(window.first + window.count - 1));

    for (int number = 0; number < static_cast<int>(launch.arrays.size()); ++number) {
        for (const bool writes : {false, true}) {
            const Band band = band_of(launch, window, number, writes);
            const TracedArray& array = launch.arrays[static_cast<std::size_t>(number)];
            if (band.elements.empty() && !(writes && array.output)) continue;
            const Range range = range_of(array, band);
            std::string head =
                array.name + (array.shared ? " (shared) " : " ") + (writes ? "written" : "read") + ": element → thread";
            if (range.begin > 0 || range.end < array.elements)
                head += "; elements " + std::to_string(range.begin) + " to " + std::to_string(range.end - 1) + " of " +
                        std::to_string(array.elements);
            drawing.label(0, y + 10, head);
            drawing.text.push_back(head);
            y += 16;

            std::vector<std::int64_t> indexes;
            std::vector<std::int64_t> outside;
            for (std::int64_t k = range.begin; k < range.end; ++k) indexes.push_back(k);
            for (const auto& [index, visits] : band.elements)
                if (index < 0 || index >= array.elements) outside.push_back(index);
            std::string row;
            const auto draw = [&](std::int64_t index, double x, double top, bool is_outside) {
                static const Visits nobody;
                const auto found = band.elements.find(index);
                const Visits& visits = found != band.elements.end() ? found->second : nobody;
                const std::string tip = tip_of(launch, array, index, visits), who = threads_of(visits);
                const std::size_t shown = std::min<std::size_t>(visits.first.size(), 4);
                if (shown == 0) drawing.box(x, top, cell, cell, visits.by_others ? "e o" : writes ? "n" : "e");
                for (std::size_t k = 0; k < shown; ++k) {
                    const double part = static_cast<double>(cell) / static_cast<double>(shown);
                    drawing.box(x + part * static_cast<double>(k), top, part, cell, "t",
                                {{"fill", colour_of(visits.first[k]->thread)}, {"data-t", who}}, tip);
                }
                const bool atomics =
                    !visits.first.empty() && visits.first.front()->operation == MemoryOperation::atomic;
                const bool twice = writes && visits.threads > 1 && !atomics;
                const bool racy = is_racy(launch, element_name(array, index));
                if (twice || racy || is_outside) drawing.box(x + 1, top + 1, cell - 2, cell - 2, "f");
                std::string mark;
                if (is_outside)
                    mark = "!!";
                else if (visits.threads > 1 && (writes || visits.first.size() > 4))
                    mark = visits.threads > 99 ? "##" : std::to_string(visits.threads) + "×";
                else if (!visits.first.empty())
                    mark = std::to_string(visits.first.front()->thread);
                if (!mark.empty() && (shown > 0 || is_outside))
                    drawing.label(x + cell / 2.0, top + 13, mark, is_outside ? "cb" : "c");
                std::string word = is_outside ? "!!" : visits.first.empty() ? visits.by_others ? "--" : ".." : "";
                if (word.empty())
                    word = visits.threads > 1 && writes ? "x" + std::to_string(visits.threads)
                                                        : std::to_string(visits.first.front()->thread);
                row += std::string(word.size() < 3 ? 3 - word.size() : 0, ' ') + word + (racy || twice ? '!' : ' ');
            };
            for (std::size_t k = 0; k < indexes.size(); ++k) {
                const auto column = static_cast<int>(k % static_cast<std::size_t>(range.columns));
                const double top = y + static_cast<double>(k / static_cast<std::size_t>(range.columns)) * cell;
                if (column == 0) {
                    if (!row.empty()) drawing.text.push_back(row);
                    row.clear();
                }
                draw(indexes[k], column * cell, top, false);
                if (column == range.columns - 1 || k + 1 == indexes.size())
                    drawing.label((column + 1) * cell + 6, top + 13, element_name(array, indexes[k]), "s");
            }
            if (!row.empty()) drawing.text.push_back(row);
            row.clear();
            y += static_cast<double>((indexes.size() + static_cast<std::size_t>(range.columns) - 1) /
                                     static_cast<std::size_t>(range.columns)) *
                 cell;
            double x = 0;
            for (std::size_t k = 0; k < outside.size() && k < 32; ++k, x += cell) draw(outside[k], x, y + 6, true);
            if (!outside.empty()) {
                const std::string words = "out of bounds: " + element_name(array, outside.front()) +
                                          (outside.size() > 1 ? " and more" : "") + ", of " +
                                          std::to_string(array.elements) + " elements";
                drawing.label(x + 6, y + 19, words, "b");
                drawing.text.push_back(row + " " + words);
                y += cell + 6;
            }
            y += 14;
        }
    }
    return drawing;
}

}  // namespace gpu::detail::trace
