// SPDX-License-Identifier: MIT
#include "support/text.hpp"

#include <algorithm>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sodium.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace course {

std::size_t first_invalid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character next = first_character(text.substr(at));
        if (!next.valid) return at;
        at += next.bytes;
    }
    return text.npos;
}

namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

}  // namespace

std::size_t characters(std::string_view utf8) {
    return utf8.size() - static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), continues_character));
}

std::string_view cut_between_characters(std::string_view utf8, std::size_t max_bytes) {
    if (utf8.size() <= max_bytes) return utf8;
    while (max_bytes > 0 && continues_character(utf8[max_bytes])) --max_bytes;
    return utf8.substr(0, max_bytes);
}

namespace {

std::string escaped(std::string_view text, std::string_view line_end, bool quotes) {
    std::string safe;
    safe.reserve(text.size());
    for (const char c : text)
        if (c == '<')
            safe += "&lt;";
        else if (c == '>')
            safe += "&gt;";
        else if (c == '&')
            safe += "&amp;";
        else if (c == '"' && quotes)
            safe += "&quot;";
        else if (c == '\'' && quotes)
            safe += "&#39;";
        else if (c == '\n')
            safe += line_end;
        else
            safe += c;
    return safe;
}

}  // namespace

std::string html_text(std::string_view text) { return escaped(text, "\n", true); }

std::string html_lines(std::string_view text) { return escaped(text, "<br>", false); }

std::string base64(std::string_view bytes) {
    std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
    ::sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                        sodium_base64_VARIANT_ORIGINAL);
    text.pop_back();   // its NUL
    return text;
}

namespace {

bool is_printable(char32_t point) {
    if (point == '\n' || point == '\t') return true;
    if (point < 0x20 || (point >= 0x7f && point < 0xa0)) return false;
    const bool turns_direction = (point >= 0x202a && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) ||
                                 point == 0x200e || point == 0x200f || point == 0x061c;
    return !turns_direction && point != 0xfeff && point != 0x2028 && point != 0x2029;
}

}  // namespace

std::string plain_text(std::string_view text, std::size_t max_bytes, std::size_t max_lines) {
    std::string plain;
    std::size_t lines = 1;
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    while (!text.empty()) {
        const Utf8Character next = first_character(text);
        const std::string_view taken = next.valid ? text.substr(0, next.bytes) : std::string_view("\xEF\xBF\xBD");
        text.remove_prefix(next.bytes);
        if (next.valid && !is_printable(next.point)) continue;
        if (plain.size() + taken.size() > max_bytes || (taken == "\n" && ++lines > max_lines)) {
            return plain + "\n...";
        }
        plain += taken;
    }
    return plain;
}

std::string plain_line(std::string_view text) {
    std::string line(text);
    for (char& c : line)
        if (c == '\n' || c == '\t') c = ' ';
    return plain_text(line, 3 * line.size(), 1);   // an invalid byte becomes three
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view white = " \t\n\r\f\v";
    const std::size_t begin = text.find_first_not_of(white);
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(white) - begin + 1);
}

std::vector<std::string> split(std::string_view text, char end) {
    std::vector<std::string> parts;
    while (!text.empty()) {
        parts.emplace_back(text.substr(0, text.find(end)));
        text.remove_prefix(std::min(parts.back().size() + 1, text.size()));
    }
    return parts;
}

namespace {

/// The number of letters to change, add, leave out or swap with the next one.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> min_edits(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                min_edits[i][j] = i + j;
                continue;
            }
            min_edits[i][j] = std::min({min_edits[i - 1][j] + 1, min_edits[i][j - 1] + 1,
                                        min_edits[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                min_edits[i][j] = std::min(min_edits[i][j], min_edits[i - 2][j - 2] + 1);
        }
    return min_edits[a.size()][b.size()];
}

}  // namespace

std::optional<Share> share_from(std::string_view text, std::size_t max_of) {
    const std::size_t slash = std::min(text.find('/'), text.size());
    const auto number = number_from<std::size_t>(text.substr(0, slash));
    const auto of = number_from<std::size_t>(text.substr(std::min(slash + 1, text.size())));
    if (!number || !of || *number < 1 || *number > *of || *of > max_of) return {};
    return Share{*number, *of};
}

std::string closest_match(std::string_view word, const std::vector<std::string_view>& known) {
    constexpr std::size_t max_length = 64;  // the table grows with the square
    if (word.size() > max_length) return {};
    std::string nearest;
    std::size_t min_distance = word.size() > 5 ? 3 : 2;
    for (const std::string_view one : known)
        if (const std::size_t here = distance(word, one); here < min_distance) {
            min_distance = here;
            nearest = one;
        }
    return nearest;
}

std::vector<std::string> warning_lines(const std::vector<WarningOn>& warnings) {
    constexpr std::size_t max_names = 40;
    std::map<std::string, std::vector<const WarningOn*>> by_text;
    std::vector<const std::string*> order;
    for (const WarningOn& one : warnings) {
        const auto [at, is_new] = by_text.try_emplace(one.what);
        if (is_new) order.push_back(&at->first);
        at->second.push_back(&one);
    }
    std::vector<std::string> lines;
    for (const std::string* const what : order) {
        const std::vector<const WarningOn*>& all = by_text.at(*what);
        std::vector<std::string> names;
        for (const WarningOn* const one : all)
            if (!one->who.empty() && std::find(names.begin(), names.end(), one->who) == names.end())
                names.push_back(one->who);
        if (names.empty()) {
            lines.push_back(*what);
        } else if (names.size() == 1) {
            lines.push_back(names[0] + all.front()->between + *what);
        } else {
            const std::size_t count = names.size(), more = count - std::min(count, max_names);
            names.resize(count - more);
            lines.push_back(fmt::format("{} ({}: {}{})", *what, count, fmt::join(names, ", "),
                                        more > 0 ? fmt::format(", and {} more", more) : ""));
        }
    }
    return lines;
}

namespace {

constexpr std::size_t min_columns = 40;     // below that, breaking lines doesn't help
constexpr std::size_t label_columns = 24;   // "  counted   ", "OK  kernel cache    ": the column of what follows

/// Where the next character begins, and whether the one at `at` takes a column: the bytes of a colour and the
/// continuation bytes of UTF-8 don't.
std::size_t next_character(std::string_view line, std::size_t at, std::size_t& column) {
    if (line.substr(at).starts_with("\x1b[")) {
        const std::size_t end = line.find('m', at);
        return end == line.npos ? line.size() : end + 1;
    }
    ++column;
    for (++at; at < line.size() && continues_character(line[at]);) ++at;
    return at;
}

std::size_t width_of(std::string_view line) {
    std::size_t column = 0;
    for (std::size_t at = 0; at < line.size();) at = next_character(line, at, column);
    return column;
}

/// True for "   12 |     int i;" and the line with the caret below it.
bool is_code(std::string_view line) {
    const std::size_t bar = line.find_first_not_of(" 0123456789");
    return bar != line.npos && bar > 0 && line[bar] == '|' && line[bar - 1] == ' ';
}

/// The column where the rest of a broken line starts: after its label, otherwise slightly further in than the line.
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

/// The line broken at spaces, with the margin before each continuation. A word that is too long gets its own line.
std::string broken(std::string_view line, std::size_t columns, const std::string& margin) {
    std::string text;
    for (std::size_t room = columns;; room = columns - std::min(columns, margin.size())) {
        std::size_t column = 0, space = 0, gap = 0;   // where to break: after a word, preferably between two columns
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
    return there < min_columns ? usual : std::min(usual, there);
}

std::string fitted(std::string_view text, std::size_t columns) {
    if (columns < min_columns) return std::string(text);
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
