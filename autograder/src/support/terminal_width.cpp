// SPDX-License-Identifier: MIT
#include "support/terminal_width.hpp"

#include <algorithm>
#include <sstream>

#include <sys/ioctl.h>
#include <unistd.h>

namespace course {

namespace {

constexpr std::size_t narrowest = 40;     // below that nothing is gained by breaking lines
constexpr std::size_t label_columns = 24;   // "  counted   ", "OK  kernel cache    ": what follows hangs behind them

/// Where the next character begins, and whether the one at `at` takes a column: bytes of a colour don't, nor do the
/// later ones of a UTF-8 character.
std::size_t next_character(std::string_view line, std::size_t at, std::size_t& column) {
    if (line.substr(at).starts_with("\x1b[")) {
        const std::size_t end = line.find('m', at);
        return end == line.npos ? line.size() : end + 1;
    }
    ++column;
    for (++at; at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80;) ++at;
    return at;
}

std::size_t width_of(std::string_view line) {
    std::size_t column = 0;
    for (std::size_t at = 0; at < line.size();) at = next_character(line, at, column);
    return column;
}

/// "   12 |     int i;" and the line with the caret below it.
bool is_code(std::string_view line) {
    const std::size_t bar = line.find_first_not_of(" 0123456789");
    return bar != line.npos && bar > 0 && line[bar] == '|' && line[bar - 1] == ' ';
}

/// The column below which the rest of a broken line goes: behind its label, else a little further in than the line.
std::size_t hanging_column(std::string_view line) {
    std::size_t column = 0, spaces = 0, indent = 0, hanging = 0;
    bool has_text = false;
    for (std::size_t at = 0; at < line.size();) {
        const bool is_space = line[at] == ' ';
        if (!is_space && spaces >= 2 && has_text && column - spaces < label_columns) hanging = column;
        if (!is_space && !has_text) indent = column, has_text = true;
        spaces = is_space ? spaces + 1 : 0;
        at = next_character(line, at, column);
    }
    return hanging > 0 ? hanging : indent + 2;
}

/// The line broken at spaces, what follows behind the margin. A word that is too long has a line of its own.
std::string broken(std::string_view line, std::size_t columns, const std::string& margin) {
    std::string text;
    for (std::size_t room = columns;; room = columns - std::min(columns, margin.size())) {
        std::size_t column = 0, space = 0, gap = 0;   // where to break: after a word, better between two columns
        bool has_text = false;
        for (std::size_t at = 0; at < line.size() && column <= room;) {
            const bool ends_word = line[at] == ' ' && at > 0 && line[at - 1] != ' ' && has_text;
            if (ends_word) space = at;
            if (ends_word && line.substr(at).starts_with("   ") && column > room / 2) gap = at;
            has_text = has_text || line[at] != ' ';
            at = next_character(line, at, column);
        }
        if (column <= room) break;
        const std::size_t end = gap > 0 ? gap : space > 0 ? space : line.find(' ', line.find_first_not_of(' '));
        const std::size_t rest = end == line.npos ? line.npos : line.find_first_not_of(' ', end);
        if (rest == line.npos) break;
        text.append(line.substr(0, end)).append("\n").append(margin);
        line.remove_prefix(rest);
    }
    return text.append(line);
}

std::string fitted_line(std::string_view line, std::size_t columns) {
    if (width_of(line) <= columns || is_code(line)) return std::string(line);
    return broken(line, columns, std::string(std::min(hanging_column(line), columns / 2), ' '));
}

}  // namespace

std::size_t terminal_columns() {
    winsize size = {};
    if (::isatty(STDOUT_FILENO) != 1 || ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0) return 0;
    return size.ws_col;
}

std::size_t text_columns(std::size_t usual) {
    const std::size_t there = terminal_columns();
    return there < narrowest ? usual : std::min(usual, there);
}

std::string fitted(std::string_view text, std::size_t columns) {
    if (columns < narrowest) return std::string(text);
    std::string result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        result += fitted_line(text.substr(0, end), columns);
        if (end < text.size()) result += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return result;
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
    const std::string margin(indent, ' ');
    std::string result, paragraph;
    const auto finish = [&] {
        if (!paragraph.empty()) result += broken(margin + paragraph, columns, margin) + "\n";
        paragraph.clear();
    };
    while (!text.empty()) {
        const std::string line(text.substr(0, text.find('\n')));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.find_first_not_of(" \t") == line.npos || line[0] == ' ') {
            finish();
            result += line.find_first_not_of(" \t") == line.npos ? "\n" : margin + line + "\n";
            continue;
        }
        std::istringstream words(line);
        for (std::string word; words >> word;) paragraph += (paragraph.empty() ? "" : " ") + word;
    }
    finish();
    return result;
}

}  // namespace course
