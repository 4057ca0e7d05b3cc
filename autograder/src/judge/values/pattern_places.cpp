// SPDX-License-Identifier: MIT
#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "judge/values/pattern.hpp"

namespace course {

namespace {

using Index = std::int64_t;
using Indices = std::span<const Index>;

// In the order in which they are tried: 256 is the block of most exercises.
constexpr Index blocks[] = {256, 128, 512, 1024, 64, 32};

bool is_block(Index length) { return std::find(std::begin(blocks), std::end(blocks), length) != std::end(blocks); }

std::string ordinal(Index n) {
    const Index tens = n / 10 % 10, ones = n % 10;
    const char* ending = tens == 1 || ones > 3 || ones == 0 ? "th" : ones == 1 ? "st" : ones == 2 ? "nd" : "rd";
    return fmt::format("{}{}", n, ending);
}

struct Progression {
    Index first, step;
};

// The indices first, first + step, ... up to the end of the array, all of them and no others.
std::optional<Progression> progression(Indices indices, Index size) {
    if (indices.size() < 2) return std::nullopt;
    const Index first = indices[0], step = indices[1] - indices[0];
    if (step < 2 || first >= step || indices.back() + step < size) return std::nullopt;
    if (indices.size() < 3 && !is_block(step)) return std::nullopt;
    for (std::size_t k = 1; k < indices.size(); ++k)
        if (indices[k] - indices[k - 1] != step) return std::nullopt;
    return Progression{first, step};
}

std::string text(Progression found) {
    if (is_block(found.step) && found.step > 32) {
        if (found.first == 0) return fmt::format("the first element of each block of {}", found.step);
        if (found.first == found.step - 1) return fmt::format("the last element of each block of {}", found.step);
    }
    if (found.first == 0) return fmt::format("every {} element", ordinal(found.step));
    return fmt::format("every {} element, from index {} on", ordinal(found.step), found.first);
}

std::vector<Index> complement(Indices indices, Index size) {
    std::vector<Index> others;
    others.reserve(static_cast<std::size_t>(size) - indices.size());
    std::size_t k = 0;
    for (Index i = 0; i < size; ++i) {
        if (k < indices.size() && indices[k] == i) ++k;
        else others.push_back(i);
    }
    return others;
}

// One run of neighbours: [first, end).
std::string describe_run(Index first, Index end, Index size) {
    const Index count = end - first;
    if (end == size) {
        for (Index block : blocks) {
            if (size <= block || (size - 1) / block * block != first) continue;
            if (count > 1) return fmt::format("all in the last block of {}", block);
            return fmt::format("the last element alone, all there is in the last block of {}", block);
        }
        if (count == 1) return "the last element alone";
        if (first == 1) return "all but the first element";
        if (is_block(first)) return fmt::format("all but the first block of {}", first);
        return fmt::format("all from index {} on", first);
    }
    if (first == 0) {
        if (count == 1) return "the first element alone";
        if (end == size - 1) return "all but the last element";
        for (Index block : blocks)
            if (size > block && end == (size - 1) / block * block && end != block)
                return fmt::format("all but the last block of {}", block);
        if (is_block(count)) return fmt::format("all in the first block of {}", count);
        return fmt::format("the first {} elements", count);
    }
    if (is_block(count) && first % count == 0) return fmt::format("all in block {} of {}", first / count, count);
    return {};
}

std::string describe_line(Indices wrong, Index size) {
    const auto count = static_cast<Index>(wrong.size());
    if (wrong.back() - wrong.front() + 1 == count) {
        if (std::string run = describe_run(wrong.front(), wrong.back() + 1, size); !run.empty()) return run;
    }
    if (const auto found = progression(wrong, size)) {
        const std::string places = text(*found);
        return places.starts_with("the") ? "only " + places : places;
    }
    if (count > size / 2) {
        const std::vector<Index> right = complement(wrong, size);
        if (right.size() == 1 && right[0] == 0) return "all but the first element";
        if (const auto found = progression(right, size)) return "all but " + text(*found);
    }
    // Not all of a block, but nothing elsewhere: several of the last 256 of at least two blocks.
    const Index last_block = (size - 1) / 256 * 256;
    if (count > 1 && last_block > 0 && wrong.front() >= last_block) return "all in the last block of 256";
    return {};
}

std::string describe_matrix(Indices wrong, Index rows, Index columns) {
    const auto count = static_cast<Index>(wrong.size());
    if (count < 2) return {};
    Index first_row = rows, last_row = 0, first_column = columns, last_column = 0, on_border = 0, on_diagonal = 0;
    Index below = 0;
    for (Index i : wrong) {
        const Index row = i / columns, column = i % columns;
        first_row = std::min(first_row, row);
        last_row = std::max(last_row, row);
        first_column = std::min(first_column, column);
        last_column = std::max(last_column, column);
        on_border += row == 0 || column == 0 || row == rows - 1 || column == columns - 1;
        on_diagonal += row == column;
        below += row > column;
    }
    if (first_column == last_column)
        return last_column == columns - 1 ? "all in the last column" : fmt::format("all in column {}", last_column);
    if (first_row == last_row)
        return last_row == rows - 1 ? "all in the last row" : fmt::format("all in row {}", last_row);
    const Index border = 2 * (rows + columns) - 4;
    if (rows > 2 && columns > 2 && on_border == count && 2 * count > border) return "all on the border";
    if (rows == columns && on_diagonal == count && count > 2) return "all on the diagonal";
    if (rows == columns && on_diagonal == 0 && count == rows * rows - rows) return "all but the diagonal";
    if (rows == columns && count == (rows * rows - rows) / 2 && rows > 2 && on_diagonal == 0) {
        if (below == count) return "all below the diagonal";
        if (below == 0) return "all above the diagonal";
    }
    const bool full = count == (last_row - first_row + 1) * (last_column - first_column + 1);
    const bool all_rows = full && first_row == 0 && last_row == rows - 1;
    const bool all_columns = full && first_column == 0 && last_column == columns - 1;
    if (all_rows && last_column == columns - 1) return fmt::format("all columns from {} on", first_column);
    if (all_columns && last_row == rows - 1) return fmt::format("all rows from {} on", first_row);
    return {};
}

}  // namespace

std::string describe_places(std::span<const std::int64_t> wrong, const std::vector<std::int64_t>& shape) {
    Index size = 1;
    for (Index length : shape) size *= length;
    const auto count = static_cast<Index>(wrong.size());
    if (count == 0 || count == size || size < 3) return {};
    if (shape.size() == 2 && shape[0] > 1 && shape[1] > 1) {
        if (std::string places = describe_matrix(wrong, shape[0], shape[1]); !places.empty()) return places;
    }
    return describe_line(wrong, size);
}

}  // namespace course
