// SPDX-License-Identifier: MIT
#include "support/csv.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "support/text.hpp"

namespace course {

namespace {

std::string from_latin_1(std::string_view text) {
    std::string utf8;
    utf8.reserve(text.size() + text.size() / 8);
    for (const char c : text) {
        const unsigned char byte = static_cast<unsigned char>(c);
        if (byte < 0x80) {
            utf8 += c;
        } else {
            utf8 += static_cast<char>(0xC0 | (byte >> 6));
            utf8 += static_cast<char>(0x80 | (byte & 0x3F));
        }
    }
    return utf8;
}

char separator_of(std::string_view text) {
    std::size_t counts[3] = {0, 0, 0};
    constexpr std::string_view separators = ",;\t";
    bool quoted = false;
    for (const char c : text) {
        if (c == '"') quoted = !quoted;
        if (!quoted && (c == '\n' || c == '\r')) break;
        if (const std::size_t at = separators.find(c); !quoted && at != separators.npos) ++counts[at];
    }
    return separators[static_cast<std::size_t>(std::max_element(counts, counts + 3) - counts)];
}

bool ends_line(std::string_view text, std::size_t at) {
    return text[at] == '\n' || (text[at] == '\r' && !text.substr(at + 1).starts_with('\n'));
}

/// Reads the cell at `at`, and moves on to what ends it.
CsvCell read_cell(std::string_view text, std::size_t& at, std::size_t& line, char separator, std::size_t& open_quote) {
    CsvCell cell{.text = {}, .begin = at};
    if (at < text.size() && text[at] == '"') {
        open_quote = line;
        for (++at; at < text.size(); ++at) {
            if (text[at] == '"') {
                if (!text.substr(at + 1).starts_with('"')) break;
                ++at;
            }
            if (ends_line(text, at)) ++line;
            cell.text += text[at];
        }
        if (at < text.size()) {
            open_quote = 0;
            ++at;
        }
    }
    for (; at < text.size() && text[at] != separator && text[at] != '\n' && text[at] != '\r'; ++at)
        cell.text += text[at];
    cell.end = at;
    return cell;
}

}  // namespace

CsvCells csv_cells(std::string_view text) {
    CsvCells read;
    const char separator = separator_of(text);
    std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0, line = 1;
    while (at < text.size()) {
        CsvCells::Row row{.line = line, .cells = {}};
        while (true) {
            row.cells.push_back(read_cell(text, at, line, separator, read.open_quote));
            if (at >= text.size() || text[at] != separator) break;
            ++at;
        }
        if (at < text.size() && text[at] == '\r') ++at;
        if (at < text.size() && text[at] == '\n') ++at;
        ++line;
        read.rows.push_back(std::move(row));
    }
    return read;
}

CsvTable read_csv(std::string_view text) {
    CsvTable table;
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        table.problems.push_back("is saved as UTF-16. Save it as CSV in UTF-8, then try again.");
        return table;
    }
    std::string converted;
    if (first_invalid_utf8(text) != text.npos) {
        converted = from_latin_1(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text);
        text = converted;
        table.problems.push_back("isn't UTF-8; it was read as Latin-1. Look at names with accents.");
    }
    CsvCells read = csv_cells(text);
    for (CsvCells::Row& row : read.rows) {
        CsvRow kept{.line = row.line, .cells = {}};
        for (CsvCell& cell : row.cells) {
            std::erase(cell.text, '\r');
            kept.cells.push_back(std::move(cell.text));
        }
        const auto is_filled = [](const std::string& text_of_cell) { return !text_of_cell.empty(); };
        if (std::any_of(kept.cells.begin(), kept.cells.end(), is_filled)) table.rows.push_back(std::move(kept));
    }
    if (read.open_quote != 0)
        table.problems.push_back(fmt::format("has a quotation mark in line {} that isn't closed.", read.open_quote));
    return table;
}

}  // namespace course
