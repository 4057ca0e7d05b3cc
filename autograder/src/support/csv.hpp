// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course {

/// A cell of a file, with its position.
struct CsvCell {
    std::string text;
    std::size_t begin = 0, end = 0;  ///< its bytes, quotes included
};

/// The cells of a CSV file (RFC 4180), row by row.
struct CsvCells {
    struct Row {
        std::size_t line = 1;  ///< its first one
        std::vector<CsvCell> cells;
    };
    std::vector<Row> rows;       ///< an empty line is a row of one empty cell
    std::size_t open_quote = 0;  ///< the line of a quote that never ends; 0: there is none
};

/// Reads commas, semicolons or tabs (whichever is most frequent in the first row), quoted cells with line ends and
/// doubled quotes, and any line end; passes over a byte-order mark. Pure.
CsvCells csv_cells(std::string_view text);

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

/// Reads what csv_cells() does. Bytes that aren't UTF-8 are read as Latin-1. Pure.
CsvTable read_csv(std::string_view text);

}  // namespace course
