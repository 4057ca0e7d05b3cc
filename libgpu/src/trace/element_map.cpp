// SPDX-License-Identifier: MIT
#include <algorithm>
#include <map>
#include <set>

#include "trace/pictures.hpp"

namespace gpu::detail::trace {

namespace {

constexpr int cell = 18;
constexpr std::int64_t max_cells = 512;
constexpr std::size_t max_colours = 4;   // of threads that share a cell

// A cell has room for two digits of the picture's font; three and four digits get a smaller one.
void label_cell(Drawing& drawing, double x, double y, const std::string& words, std::string_view classes = "c") {
    if (words.size() > 2 && words.find_first_not_of("0123456789") == std::string::npos)
        drawing.label(x, y, words, classes, {{"font-size", words.size() > 3 ? "7" : "9"}});
    else
        drawing.label(x, y, words, classes);
}

// The accesses to one element, either reads or writes.
struct Visits {
    std::vector<const TracedAccess*> first;  // one of each thread of the window
    bool by_others = false;                  // by threads outside the window
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
        // Each block has its own shared memory.
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

// The part of an array that is drawn, as rows of elements. Arrays of two or more axes have rows of their own; others
// are wrapped.
struct Range {
    std::int64_t row_length = 32;                              // elements from one row to the next
    std::int64_t first_row = 0, rows = 0, first_column = 0;
    int columns = 32;
    bool is_table = false;

    [[nodiscard]] std::int64_t index(std::int64_t row, int column) const {
        return (first_row + row) * row_length + first_column + column;
    }
};

constexpr int max_columns = 64;

// All of a small array, otherwise the surroundings of the window's own elements.
Range range_of(const TracedArray& array, const Band& band) {
    Range range;
    range.is_table = array.lengths.size() > 1 && array.lengths.back() > 0;
    if (range.is_table) range.row_length = array.lengths.back();
    const std::int64_t all_rows = (array.elements + range.row_length - 1) / range.row_length;
    range.columns = static_cast<int>(std::min<std::int64_t>(range.row_length, max_columns));
    range.rows = all_rows;
    if (array.elements <= max_cells && range.row_length <= max_columns) return range;
    std::int64_t top = all_rows, bottom = 0, left = range.row_length, right = 0;
    for (const auto& [index, visits] : band.elements) {
        if (visits.first.empty() || index < 0 || index >= array.elements) continue;
        top = std::min(top, index / range.row_length);
        bottom = std::max(bottom, index / range.row_length + 1);
        left = std::min(left, index % range.row_length);
        right = std::max(right, index % range.row_length + 1);
    }
    if (top >= bottom) {   // the window's threads don't touch it
        top = left = 0;
        bottom = all_rows;
        right = range.row_length;
    }
    if (range.row_length > max_columns) {
        range.first_column = left;
        range.columns = static_cast<int>(std::min<std::int64_t>(right - left, max_columns));
    }
    range.first_row = top;
    range.rows = std::min(bottom - top, std::max<std::int64_t>(max_cells / range.columns, 1));
    return range;
}

// "; elements 96 to 159 of 1000", "; rows 0 to 7 of 19, columns 32 to 63 of 67"; empty if all of it is drawn.
std::string part_text(const TracedArray& array, const Range& range) {
    const auto part = [](const char* what, std::int64_t first, std::int64_t count, std::int64_t of) {
        if (count == of) return std::string();
        const std::string last = count > 1 ? " to " + std::to_string(first + count - 1) : "";
        return what + std::string(count > 1 ? "s " : " ") + std::to_string(first) + last + " of " + std::to_string(of);
    };
    if (!range.is_table) {
        const std::int64_t first = range.index(0, 0);
        const std::int64_t count = std::min(array.elements - first, range.rows * range.row_length);
        return part("; element", first, count, array.elements);
    }
    const std::string rows = part("; row", range.first_row, range.rows, array.elements / range.row_length);
    return rows + part(rows.empty() ? "; column" : ", column", range.first_column, range.columns, range.row_length);
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

// The totals for the title, over all elements that the launch's recorded blocks write.
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

// The text for one element, also the label of its cell.
std::string word_of(const Visits& visits, bool writes, bool is_outside) {
    if (is_outside) return "!!";
    if (visits.first.empty()) return visits.by_others ? "--" : "..";
    if (writes && visits.threads > 1) return "x" + std::to_string(visits.threads);
    return std::to_string(visits.first.front()->thread);
}

std::string mark_of(const Visits& visits, bool writes, bool is_outside) {
    if (is_outside) return "!!";
    if (visits.threads > 1 && (writes || visits.first.size() > max_colours))
        return visits.threads > 99 ? "##" : std::to_string(visits.threads) + "×";
    return visits.first.empty() ? "" : std::to_string(visits.first.front()->thread);
}

// Draws the map from top to bottom.
class MapDrawer {
public:
    MapDrawer(const TracedLaunch& launch, const Window& window, Drawing& drawing)
        : launch_(launch), window_(window), drawing_(drawing) {}

    void threads() {
        drawing_.label(0, y_ + 10, "threads of block " + index_text(window_.block, launch_.grid), "s");
        y_ += 16;
        for (int k = 0; k < window_.count; ++k) {
            const int thread = window_.first + k;
            const double x = k % 32 * cell, top = y_ + k / 32 * cell;
            drawing_.box(x, top, cell, cell, "t", {{"fill", colour_of(thread)}, {"data-t", std::to_string(thread)}},
                         "thread " + index_text(thread, launch_.block));
            label_cell(drawing_, x + cell / 2.0, top + 13, std::to_string(thread));
        }
        y_ += (window_.count + 31) / 32 * cell + 14;
        drawing_.text.push_back("block " + index_text(window_.block, launch_.grid) + ", threads " +
                                std::to_string(window_.first) + " to " +
                                std::to_string(window_.first + window_.count - 1));
    }

    void band(const TracedArray& array, const Band& band) {
        const Range range = range_of(array, band);
        const std::string head = array.name + (array.shared ? " (shared) " : " ") +
                                 (band.writes ? "written" : "read") + ": element → thread" + part_text(array, range);
        drawing_.label(0, y_ + 10, head);
        drawing_.text.push_back(head);
        y_ += 16;
        for (std::int64_t line = 0; line < range.rows; ++line, y_ += cell) {
            std::string row;
            int column = 0;
            for (; column < range.columns && range.index(line, column) < array.elements; ++column)
                row += element(array, band, range.index(line, column), column * cell, y_, false);
            drawing_.label(column * cell + 6, y_ + 13, element_name(array, range.index(line, column - 1)), "s");
            drawing_.text.push_back(row);
        }
        outside(array, band);
        y_ += 14;
    }

    void legend() {
        if (has_others_)
            explain("e o", "--", "accessed by threads that aren't drawn here, of this block or of another one");
        if (has_nobody_)
            explain("n", "..",
                    std::string("accessed by no thread") + (launch_.left_out > 0 ? " that was recorded" : ""));
    }

private:
    // Draws one element and returns its word.
    std::string element(const TracedArray& array, const Band& band, std::int64_t index, double x, double top,
                        bool is_outside) {
        static const Visits nobody;
        const auto found = band.elements.find(index);
        const Visits& visits = found != band.elements.end() ? found->second : nobody;
        const std::string tip = tip_of(launch_, array, index, visits), who = threads_of(visits);
        const std::size_t shown = std::min(visits.first.size(), max_colours);
        if (shown == 0) {
            (visits.by_others ? has_others_ : has_nobody_) = true;
            drawing_.box(x, top, cell, cell, visits.by_others ? "e o" : band.writes ? "n" : "e");
        }
        for (std::size_t k = 0; k < shown; ++k) {
            const double part = static_cast<double>(cell) / static_cast<double>(shown);
            drawing_.box(x + part * static_cast<double>(k), top, part, cell, "t",
                         {{"fill", colour_of(visits.first[k]->thread)}, {"data-t", who}}, tip);
        }
        const bool atomics = !visits.first.empty() && visits.first.front()->operation == MemoryOperation::atomic;
        const bool twice = band.writes && visits.threads > 1 && !atomics;
        const bool racy = is_racy(launch_, element_name(array, index));
        if (twice || racy || is_outside) drawing_.box(x + 1, top + 1, cell - 2, cell - 2, "f");
        const std::string mark = mark_of(visits, band.writes, is_outside);
        const std::string word = word_of(visits, band.writes, is_outside);
        if (!mark.empty() && (shown > 0 || is_outside))
            label_cell(drawing_, x + cell / 2.0, top + 13, mark, is_outside ? "cb" : "c");
        return std::string(word.size() < 3 ? 3 - word.size() : 0, ' ') + word + (racy || twice ? '!' : ' ');
    }

    void outside(const TracedArray& array, const Band& band) {
        constexpr std::size_t max_shown = 32;
        std::vector<std::int64_t> indexes;
        for (const auto& [index, visits] : band.elements)
            if (index < 0 || index >= array.elements) indexes.push_back(index);
        if (indexes.empty()) return;
        std::string row;
        double x = 0;
        for (std::size_t k = 0; k < std::min(indexes.size(), max_shown); ++k, x += cell)
            row += element(array, band, indexes[k], x, y_ + 6, true);
        const std::string words = "out of bounds: " + element_name(array, indexes.front()) +
                                  (indexes.size() > 1 ? " and more" : "") + ", of " + std::to_string(array.elements) +
                                  " elements";
        drawing_.label(x + 6, y_ + 19, words, "b");
        drawing_.text.push_back(row + " " + words);
        y_ += cell + 6;
    }

    void explain(std::string_view classes, const char* mark, const std::string& words) {
        drawing_.box(0, y_, cell, cell, classes);
        drawing_.label(cell + 6, y_ + 13, words, "s");
        drawing_.text.push_back(std::string(" ") + mark + " " + words);
        y_ += cell + 4;
    }

    const TracedLaunch& launch_;
    const Window& window_;
    Drawing& drawing_;
    double y_ = 4;
    bool has_others_ = false, has_nobody_ = false;   // among the elements that are drawn
};

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

    MapDrawer drawer(launch, window, drawing);
    drawer.threads();
    for (int number = 0; number < static_cast<int>(launch.arrays.size()); ++number) {
        const TracedArray& array = launch.arrays[static_cast<std::size_t>(number)];
        for (const bool writes : {false, true})
            if (const Band band = band_of(launch, window, number, writes);
                !band.elements.empty() || (writes && array.output))
                drawer.band(array, band);
    }
    drawer.legend();
    return drawing;
}

}  // namespace gpu::detail::trace
