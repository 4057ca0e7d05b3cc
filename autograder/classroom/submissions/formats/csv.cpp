// SPDX-License-Identifier: MIT
#include "classroom/submissions/formats/csv.hpp"

#include <algorithm>

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

}  // namespace

CsvTable read_csv(std::string_view text) {
    CsvTable table;
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
        table.problems.push_back("is saved as UTF-16. Save it as CSV in UTF-8, then try again.");
        return table;
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::string converted;
    if (first_invalid_utf8(text) != text.npos) {
        converted = from_latin_1(text);
        text = converted;
        table.problems.push_back("isn't UTF-8; it was read as Latin-1. Look at names with accents.");
    }
    const char separator = separator_of(text);
    CsvRow row;
    std::string cell;
    bool quoted = false;
    std::size_t line = 1, opened = 0;
    const auto end_row = [&] {
        row.cells.push_back(std::move(cell));
        cell.clear();
        if (std::any_of(row.cells.begin(), row.cells.end(), [](const std::string& one) { return !one.empty(); }))
            table.rows.push_back(std::move(row));
        row = {.line = line, .cells = {}};
    };
    for (std::size_t k = 0; k < text.size(); ++k) {
        const char c = text[k];
        const bool ends_line = c == '\n' || (c == '\r' && (k + 1 == text.size() || text[k + 1] != '\n'));
        if (ends_line) ++line;
        if (quoted) {
            if (c != '"') {
                if (c != '\r') cell += c;
            } else if (k + 1 < text.size() && text[k + 1] == '"') {
                cell += '"';
                ++k;
            } else {
                quoted = false;
            }
        } else if (c == '"' && cell.empty()) {
            quoted = true;
            opened = line;
        } else if (c == separator) {
            row.cells.push_back(std::move(cell));
            cell.clear();
        } else if (ends_line) {
            end_row();
        } else if (c != '\r') {
            cell += c;
        }
    }
    if (quoted) table.problems.push_back(fmt::format("has a quotation mark in line {} that isn't closed.", opened));
    if (!cell.empty() || !row.cells.empty()) end_row();
    return table;
}

}  // namespace course
