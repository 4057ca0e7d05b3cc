// SPDX-License-Identifier: MIT
#include "lessons/program_output.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include <fmt/format.h>

#include "lessons/markdown.hpp"

namespace course {

namespace {

const std::regex& number() {
    static const std::regex pattern("[-+]?[0-9]+(?:\\.[0-9]+)?(?:e[-+]?[0-9]+)?");
    return pattern;
}

std::string with_single_spaces(std::string_view line) {
    std::istringstream stream{std::string(line)};
    std::string text;
    for (std::string word; stream >> word;) text += (text.empty() ? "" : " ") + word;
    return text;
}

bool line_matches(const std::string& kept, const std::string& printed) {
    if (kept.find('~') == kept.npos) return kept == printed;
    const std::string pattern = with_single_spaces(kept), line = with_single_spaces(printed);
    std::size_t at = 0;
    for (const char c : pattern) {
        if (c != '~') {
            if (at >= line.size() || line[at++] != c) return false;
            continue;
        }
        std::smatch match;
        if (!std::regex_search(line.begin() + static_cast<std::ptrdiff_t>(at), line.end(), match, number(),
                               std::regex_constants::match_continuous))
            return false;
        at += static_cast<std::size_t>(match.length());
    }
    return at == line.size();
}

/// Numbers and what stands between them, in turn: text, number, text, number, text.
std::vector<std::string> pieces(const std::string& line) {
    std::vector<std::string> parts;
    std::size_t end = 0;
    for (std::sregex_iterator at(line.begin(), line.end(), number()), none; at != none; ++at) {
        const auto begin = static_cast<std::size_t>(at->position());
        if (begin > 0 && (std::isalpha(static_cast<unsigned char>(line[begin - 1])) || line[begin - 1] == '_'))
            continue;
        parts.push_back(line.substr(end, begin - end));
        parts.push_back(at->str());
        end = begin + static_cast<std::size_t>(at->length());
    }
    parts.push_back(line.substr(end));
    return parts;
}

std::string masked_line(const std::string& line, const std::vector<std::string>& others) {
    static const std::regex unit(
        "\\s*(?:ns|us|\xC2\xB5s|ms|s|seconds|[kMGT]i?B/s|[GT]flop/s|[GT]FLOPS|%|x|times)(?![A-Za-z]).*");
    std::vector<std::string> parts = pieces(line);
    std::vector<std::vector<std::string>> same;
    for (const std::string& other : others)
        if (std::vector<std::string> theirs = pieces(other); theirs.size() == parts.size())
            same.push_back(std::move(theirs));
    std::string text;
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const bool is_number = k % 2 == 1;
        const bool differs =
            std::any_of(same.begin(), same.end(), [&](const auto& other) { return other[k] != parts[k]; });
        text += is_number && (differs || std::regex_match(parts[k + 1], unit)) ? "~" : parts[k];
    }
    return text;
}

}  // namespace

std::string output_difference(std::string_view kept, std::string_view printed) {
    const std::vector<std::string> want = split_lines(kept), got = split_lines(printed);
    for (std::size_t k = 0; k < std::max(want.size(), got.size()); ++k) {
        if (k < want.size() && k < got.size() && line_matches(want[k], got[k])) continue;
        return fmt::format("line {}\n  kept:    {}\n  printed: {}", k + 1, k < want.size() ? want[k] : "(no such line)",
                           k < got.size() ? got[k] : "(no such line)");
    }
    return "";
}

std::string output_to_keep(std::string_view kept, const std::vector<std::string>& runs) {
    const std::vector<std::string> old = split_lines(kept);
    std::vector<std::vector<std::string>> printed;
    for (const std::string& run : runs) printed.push_back(split_lines(run));
    std::string text;
    for (std::size_t k = 0; k < printed.at(0).size(); ++k) {
        std::vector<std::string> others;
        for (std::size_t run = 1; run < printed.size(); ++run)
            if (k < printed[run].size()) others.push_back(printed[run][k]);
        const bool stays = k < old.size() && line_matches(old[k], printed[0][k]) &&
                           std::all_of(others.begin(), others.end(),
                                       [&](const std::string& other) { return line_matches(old[k], other); });
        text += (stays ? old[k] : masked_line(printed[0][k], others)) + "\n";
    }
    return text;
}

std::vector<std::string> answers_of(std::string_view output) {
    constexpr std::string_view head = "Answer: ";
    std::vector<std::string> answers;
    for (const std::string& line : split_lines(output))
        if (line.starts_with(head)) answers.push_back(with_single_spaces(line.substr(head.size())));
    return answers;
}

}  // namespace course
