// SPDX-License-Identifier: MIT
#include "host/check/outside_access.hpp"

#include <algorithm>

namespace gpu::detail::host {

namespace {

std::string number(std::int64_t value) { return std::to_string(value); }

bool is_line(const OutsideAccess& access) { return access.height == 1; }

// The threads of a grid are this many, rounded up to whole blocks.
bool covers(std::int64_t threads, std::int64_t count) { return threads >= count && threads - count < 1024; }

struct Matrix {
    std::int64_t rows, columns;
};

bool fits(const Matrix& matrix, std::int64_t row, std::int64_t column) {
    return row < matrix.rows && column < matrix.columns;
}

// Of a line of threads, each may have an element, a column or a row.
bool has_element(const OutsideAccess& access, const Matrix& matrix) {
    if (!is_line(access)) {
        if (access.index == access.y * matrix.columns + access.x) return fits(matrix, access.y, access.x);
        const bool swapped = covers(access.width, matrix.rows) && covers(access.height, matrix.columns);
        return fits(matrix, access.y, access.x) || (swapped && fits(matrix, access.x, access.y));
    }
    if (access.width >= matrix.rows * matrix.columns) return access.x < matrix.rows * matrix.columns;
    const bool in_own_column = access.x < matrix.columns && access.index % matrix.columns == access.x;
    return in_own_column || access.x < std::min(matrix.rows, matrix.columns);
}

// The row length that the index was computed with: index = row * length + column; 0: it wasn't.
std::int64_t used_length(std::int64_t index, std::int64_t row, std::int64_t column) {
    return row > 0 && index > column && (index - column) % row == 0 ? (index - column) / row : 0;
}

std::string mistake_in(const OutsideAccess& access, const Matrix& matrix) {
    const auto& [rows, columns] = matrix;
    if (rows < 2 || columns < 2) return {};
    if (is_line(access)) {
        const bool by_column = access.x < columns && access.index % columns == access.x;
        if (by_column && access.index / columns >= rows && access.index / columns < columns && rows < columns)
            return "the row of this index is " + number(access.index / columns) + ", and " + access.array + " has " +
                   number(rows) + " rows of " + number(columns) +
                   ": it looks as if rows and columns are swapped where the loop ends";
        return {};
    }
    for (const bool x_is_row : {false, true}) {
        const std::int64_t row = x_is_row ? access.x : access.y, column = x_is_row ? access.y : access.x;
        if (!fits(matrix, row, column)) continue;
        if (used_length(access.index, row, column) == rows && rows != columns)
            return access.array + " has " + number(rows) + " rows of " + number(columns) +
                   ", and this index looks computed with rows of " + number(rows) +
                   ": multiply the row by the length of a row, which is " + number(columns);
        // Else the thread is outside itself, and a guard leaves it out.
        if (!x_is_row && access.index == column * columns + row && column >= rows)
            return access.array + " has " + number(rows) + " rows of " + number(columns) +
                   ", and it looks as if row and column are swapped in this index";
    }
    const bool fits_swapped = covers(access.width, rows) && covers(access.height, columns);
    if (fits_swapped && (access.width < columns || access.height < rows))
        return access.array + " has " + number(rows) + " rows of " + number(columns) + ", and the launch has " +
               number(access.width) + " threads along x and " + number(access.height) +
               " along y: it looks as if rows and columns are swapped in the launch";
    return {};
}

}  // namespace

bool has_own_element(const OutsideAccess& access) {
    if (!access.is_flat) return false;
    if (is_line(access) && access.shapes.empty()) return access.x < access.length;
    return std::any_of(access.shapes.begin(), access.shapes.end(),
                       [&](const auto& one) { return has_element(access, {one.first, one.second}); });
}

std::string likely_mistake(const OutsideAccess& access) {
    if (!access.is_flat || access.index < access.length) return {};
    for (const auto& [rows, columns] : access.shapes)
        if (std::string mistake = mistake_in(access, {rows, columns}); !mistake.empty()) return mistake;
    return {};
}

std::string beside_matrix(const OutsideAccess& one, const OutsideAccess& other) {
    const auto is_at = [](const OutsideAccess& access, std::int64_t columns) {
        return access.index == access.y * columns + access.x;
    };
    if (!one.is_flat) return {};
    for (const auto& [rows, columns] : one.shapes) {
        const Matrix matrix{rows, columns};
        // As a row and a column, whichever of the two x is.
        const auto is_outside = [&](const OutsideAccess& access) {
            return !fits(matrix, access.y, access.x) && !fits(matrix, access.x, access.y);
        };
        const auto says = [&](const OutsideAccess& beside, const std::string& unlike) {
            return "the thread at x = " + number(beside.x) + ", y = " + number(beside.y) + " of the grid is in no " +
                   (beside.x >= columns ? "column: " : "row: ") + one.array + " has " + number(rows) + " rows of " +
                   number(columns) + "; leave out threads that are outside in either direction" + unlike;
        };
        if (is_at(one, columns) && is_at(other, columns)) {
            const OutsideAccess& beside = one.x >= columns ? one : other;
            if (beside.x >= columns && std::min(one.x, other.x) < columns)
                return says(beside, ", not only those past the last element");
        } else if (covers(one.width, columns) && covers(one.height, rows) && (is_outside(one) || is_outside(other))) {
            return says(is_outside(one) ? one : other, ": they have no element to change");
        }
    }
    return {};
}

}  // namespace gpu::detail::host
