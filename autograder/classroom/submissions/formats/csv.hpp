// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A row of a CSV file, with the number of its first line.
struct CsvRow {
    std::size_t line = 1;
    std::vector<std::string> cells;
};

/// A table as written by spreadsheets and LMSs.
struct CsvTable {
    std::vector<CsvRow> rows;           ///< without empty ones
    std::vector<std::string> problems;  ///< what was corrected, or can't be: one sentence each
};

/// Reads CSV with commas, semicolons or tabs (whichever is most frequent in the first row), quoted cells with line ends
/// and doubled quotes, any line end, with or without a byte-order mark. Bytes that aren't UTF-8 are read as Latin-1.
/// Pure.
CsvTable read_csv(std::string_view text);

}  // namespace course
