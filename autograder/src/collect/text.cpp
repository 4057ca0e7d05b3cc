// SPDX-License-Identifier: MIT
#include <algorithm>

#include <fmt/format.h>

#include "collect/collect.hpp"

namespace course {

namespace {

/// The offset of the first byte that isn't UTF-8 (no overlong forms, no surrogates), or npos.
std::size_t first_invalid_utf8(const std::string& text) {
    std::size_t k = 0;
    const auto byte = [&](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
    while (k < text.size()) {
        const unsigned lead = byte(k);
        const int length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
        if (length == 0) return k;
        for (int j = 1; j < length; ++j)
            if ((byte(k + static_cast<std::size_t>(j)) & 0xC0) != 0x80) return k;
        const unsigned second = byte(k + 1);
        if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) || (lead == 0xF0 && second < 0x90) ||
            (lead == 0xF4 && second > 0x8F))
            return k;
        k += static_cast<std::size_t>(length);
    }
    return text.npos;
}

long line_of(const std::string& text, std::size_t offset) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n');
}

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v'; }

}  // namespace

std::string clean_text(std::string text, const std::string& shown, std::vector<std::string>& notes) {
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF"))
        throw CollectError(shown + " is saved as UTF-16.\nSave it as UTF-8 in your editor, then try again.");
    if (text.starts_with("\xEF\xBB\xBF")) {
        text.erase(0, 3);
        notes.push_back(fmt::format("{} begins with a byte-order mark; it was left out", shown));
    }
    if (const std::size_t at = text.find('\0'); at != text.npos)
        throw CollectError(
            fmt::format("{}:{}: there is a NUL byte, so this is not C++ text.\nRestore the file, "
                        "or start again from the stub.",
                        shown, line_of(text, at)));
    if (const std::size_t at = first_invalid_utf8(text); at != text.npos)
        throw CollectError(fmt::format("{}:{}: there is a byte that isn't UTF-8.\nSave the file as UTF-8 in "
                                       "your editor, then try again.", shown, line_of(text, at)));
    std::string clean;
    clean.reserve(text.size());
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] != '\r') {
            clean += text[k];
        } else if (k + 1 == text.size() || text[k + 1] != '\n') {
            clean += '\n';   // an old Mac's line end
        }
    }
    return clean;
}

bool same_but_for_space(const std::string& a, const std::string& b) {
    auto i = a.begin();
    auto j = b.begin();
    for (;;) {
        i = std::find_if_not(i, a.end(), is_space);
        j = std::find_if_not(j, b.end(), is_space);
        if (i == a.end() || j == b.end()) return i == a.end() && j == b.end();
        if (*i++ != *j++) return false;
    }
}

}  // namespace course
