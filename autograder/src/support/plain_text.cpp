// SPDX-License-Identifier: MIT
#include "support/plain_text.hpp"

#include <algorithm>

namespace course {
namespace {

struct Decoded {
    char32_t point;
    std::size_t length;   ///< bytes taken, at least 1
    bool valid;
};

// One code point of UTF-8; overlong forms, surrogates and points above U+10FFFF aren't valid.
Decoded decode(std::string_view text) {
    const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
    const unsigned char first = byte(0);
    if (first < 0x80) return {first, 1, true};
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length == 0 || first > 0xf4) return {0, 1, false};
    char32_t point = first & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        if (k >= text.size() || (byte(k) & 0xc0) != 0x80) return {0, k, false};
        point = (point << 6) | (byte(k) & 0x3fu);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    const bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return {point, length, !overlong && !surrogate && point <= 0x10ffff};
}

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
        const Decoded next = decode(text);
        const std::string_view taken = next.valid ? text.substr(0, next.length) : std::string_view("\xEF\xBF\xBD");
        text.remove_prefix(next.length);
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
    return plain_text(line, 3 * line.size(), 1);   // a byte that is no UTF-8 becomes three
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

}  // namespace course
