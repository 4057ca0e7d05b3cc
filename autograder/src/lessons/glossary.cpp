// SPDX-License-Identifier: MIT
#include "lessons/glossary.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <vector>

#include "lessons/markdown.hpp"

namespace course {

namespace {

/// In small letters, with single spaces, without marks of code and of emphasis.
std::string plain_term(std::string_view text) {
    std::string copy(text), term;
    std::erase_if(copy, [](char c) { return c == '`' || c == '*'; });
    std::transform(copy.begin(), copy.end(), copy.begin(), [](unsigned char c) { return std::tolower(c); });
    std::istringstream words(copy);
    for (std::string word; words >> word;) term += (term.empty() ? "" : " ") + word;
    return term;
}

}  // namespace

Glossary::Glossary(std::string_view page) {
    std::string anchor;
    for (const std::string& line : split_lines(page)) {
        if (line.starts_with("## ")) anchor = anchor_of(line.substr(3));
        if (!line.starts_with("- **")) continue;
        const std::string head = line.substr(0, line.find("**:") + 2);  // "- **dtype**, **element type**"
        for (std::size_t begin = 0, end; (begin = head.find("**", begin)) != head.npos; begin = end + 2) {
            end = head.find("**", begin + 2);
            if (end == head.npos) break;
            const std::string term = head.substr(begin + 2, end - begin - 2);
            if (!term.empty() && term.find('*') == term.npos) anchors_.emplace(plain_term(term), anchor);
        }
    }
}

std::optional<std::string> Glossary::term(std::string_view text) const {
    const std::string plain = plain_term(text);
    for (const std::string_view ending : {"", "s", "es"}) {
        if (!plain.ends_with(ending)) continue;
        const std::string term = plain.substr(0, plain.size() - ending.size());
        if (anchors_.contains(term)) return term;
    }
    return std::nullopt;
}

}  // namespace course
