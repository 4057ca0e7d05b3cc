// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A row of a CSV file, and the line that it begins on.
struct CsvRow {
    std::size_t line = 1;
    std::vector<std::string> cells;
};

/// A table as spreadsheets and LMS write it.
struct CsvTable {
    std::vector<CsvRow> rows;           ///< without empty ones
    std::vector<std::string> problems;  ///< what was put right, or can't be: a sentence each
};

/// Reads CSV with commas, semicolons or tabs (whichever the first row has most of), quoted cells with line ends and
/// doubled quotes, any line end, with or without a byte-order mark. Bytes that aren't UTF-8 are read as Latin-1. Pure.
CsvTable read_csv(std::string_view text);

}  // namespace course
