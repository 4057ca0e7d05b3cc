// SPDX-License-Identifier: MIT
#include "exports/csv.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace course {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// Reads the cell at `at`, and moves on to what ends it.
CsvCell read_cell(std::string_view text, std::size_t& at, std::size_t line) {
    CsvCell cell{.text = {}, .begin = at};
    if (at < text.size() && text[at] == '"') {
        for (++at;; ++at) {
            if (at >= text.size()) throw std::runtime_error(fmt::format("line {}: a quote that never ends", line));
            if (text[at] == '"') {
                if (at + 1 >= text.size() || text[at + 1] != '"') break;
                ++at;
            }
            cell.text += text[at];
        }
        ++at;
    }
    for (; at < text.size() && text[at] != ',' && text[at] != '\n' && text[at] != '\r'; ++at) cell.text += text[at];
    cell.end = at;
    return cell;
}

}  // namespace

std::string harmless(std::string_view text) {
    const bool formula = !text.empty() && std::string_view("=+-@\t\r\n").find(text[0]) != std::string_view::npos;
    return (formula ? "'" : "") + std::string(text);
}

std::string csv_cell(std::string_view text) {
    const std::string safe = harmless(text);
    if (safe.find_first_of(",\"\r\n;") == safe.npos && safe.find_first_not_of(' ') == 0 && safe.back() != ' ')
        return safe;
    if (safe.empty()) return safe;
    std::string quoted = "\"";
    for (const char c : safe) {
        if (c == '\0') continue;
        quoted += c;
        if (c == '"') quoted += '"';
    }
    return quoted + '"';
}

std::string csv_row(const std::vector<std::string>& cells) {
    std::string row;
    for (const std::string& cell : cells) row += (&cell == &cells.front() ? "" : ",") + csv_cell(cell);
    return row + "\n";
}

std::vector<std::vector<CsvCell>> csv_cells(std::string_view text) {
    std::vector<std::vector<CsvCell>> rows;
    std::size_t at = text.substr(0, 3) == byte_order_mark ? 3 : 0;
    while (at < text.size()) {
        std::vector<CsvCell> row;
        while (true) {
            row.push_back(read_cell(text, at, rows.size() + 1));
            if (at >= text.size() || text[at] != ',') break;
            ++at;
        }
        if (at < text.size() && text[at] == '\r') ++at;
        if (at < text.size() && text[at] == '\n') ++at;
        if (row.size() > 1 || !row[0].text.empty()) rows.push_back(std::move(row));
    }
    if (!rows.empty() && rows[0].size() == 1)
        throw std::runtime_error("there are no commas in its first line; save it as CSV that is separated by commas");
    return rows;
}

}  // namespace course
