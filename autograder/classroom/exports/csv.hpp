// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// Text that no spreadsheet takes for a formula: an apostrophe precedes one that begins with = + - @, a tab or a line
/// end. Pure.
std::string harmless(std::string_view text);

/// A cell as written: harmless, and in double quotes if necessary. Pure.
std::string csv_cell(std::string_view text);

/// A line with these cells, including its end. Pure.
std::string csv_row(const std::vector<std::string>& cells);

/// A cell of a file, with its position.
struct CsvCell {
    std::string text;
    std::size_t begin = 0, end = 0;  ///< its bytes, quotes included
};

/// The rows of a CSV file (RFC 4180; \n, \r\n or \r; a byte order mark is passed over); an empty line is no row.
/// Commas, semicolons or tabs separate the cells, as in the first line.
/// @throws std::runtime_error for a quote that never ends, and for a file without any of these.
std::vector<std::vector<CsvCell>> csv_cells(std::string_view text);

}  // namespace course
