// SPDX-License-Identifier: MIT
#include "host/compile/double_precision.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

namespace {

constexpr std::string_view mark = "\n# promotions of the text above:\n";

template <class F>
void for_lines(std::string_view text, const F& f) {
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        f(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
}

// "where/raw_add.cu:12:7: warning: ..." -> 12; 0 for another file's.
int line_of(std::string_view warning, std::string_view file) {
    const std::size_t name = warning.find(std::string(file) + ':');
    if (name == std::string_view::npos || (name > 0 && warning[name - 1] != '/')) return 0;
    int line = 0;
    const char* const digits = warning.data() + name + file.size() + 1;
    std::from_chars(digits, warning.data() + warning.size(), line);
    return line;
}

/// First and last lines of the bodies of other kernels.
std::vector<std::pair<int, int>> other_kernels(const std::vector<Token>& tokens, std::string_view kernel) {
    std::vector<std::pair<int, int>> bodies;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].text != "__global__") continue;
        const std::size_t open = find_token(tokens, "(", k), body = find_token(tokens, "{", open);
        const std::size_t end = body < tokens.size() ? closing(tokens, body) : tokens.size();
        if (end >= tokens.size() || tokens[open - 1].text == kernel) continue;
        bodies.emplace_back(tokens[k].line, tokens[end].line);
    }
    return bodies;
}

}  // namespace

std::string with_promotions(std::string object, std::string_view log) {
    std::string promotions;
    for_lines(log, [&](std::string_view line) {
        if (line.find(double_precision_flag) != std::string_view::npos) promotions.append(line) += '\n';
    });
    if (!promotions.empty()) object.append(mark) += promotions;
    return object;
}

std::vector<int> double_precision_lines(std::string_view object, const Snippet& learners, std::string_view kernel) {
    std::vector<int> lines;
    if (learners.text.empty()) return lines;
    const std::vector<Token> tokens = tokens_of(learners.text);
    const auto others = other_kernels(tokens, kernel.substr(0, kernel.find('<')));
    const auto add = [&](int line_of_text) {
        const bool is_others = std::any_of(others.begin(), others.end(), [line_of_text](const auto& body) {
            return body.first <= line_of_text && line_of_text <= body.second;
        });
        if (!is_others) lines.push_back(line_of_text + learners.line - 1);
    };
    std::vector<int> prints;  // what they print is promoted, as in any C++ program
    for (const Token& token : tokens) {
        if (token.text == "printf") prints.push_back(token.line);
        if (token.is_name() && token.text == "double") add(token.line);
    }
    if (const std::size_t at = object.rfind(mark); at != std::string_view::npos)
        for_lines(object.substr(at + mark.size()), [&](std::string_view warning) {
            const int line = line_of(warning, learners.file) - learners.line + 1;
            if (line > 0 && std::find(prints.begin(), prints.end(), line) == prints.end()) add(line);
        });
    std::sort(lines.begin(), lines.end());
    return lines;
}

}  // namespace gpu::detail::host
