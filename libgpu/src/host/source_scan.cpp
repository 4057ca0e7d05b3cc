// SPDX-License-Identifier: MIT
#include "host/source_scan.hpp"

#include <algorithm>
#include <cctype>

namespace gpu::detail::host {

namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where a raw string R"x(...)x" that begins at its quote ends, or `npos`.
std::size_t end_of_raw_string(std::string_view text, std::size_t quote) {
    const std::size_t open = text.find('(', quote);
    if (open == std::string_view::npos) return open;
    const std::string close = ")" + std::string(text.substr(quote + 1, open - quote - 1)) + "\"";
    const std::size_t end = text.find(close, open);
    return end == std::string_view::npos ? end : end + close.size();
}

std::size_t end_of_literal(std::string_view text, std::size_t quote) {
    std::size_t k = quote + 1;
    while (k < text.size() && text[k] != text[quote] && text[k] != '\n') k += text[k] == '\\' ? 2 : 1;
    return std::min(k + 1, text.size());
}

std::size_t end_of_line_comment(std::string_view text, std::size_t from) {
    std::size_t end = text.find('\n', from);
    while (end != std::string_view::npos && end > 0 && text[end - 1] == '\\') end = text.find('\n', end + 1);
    return std::min(end, text.size());
}

}  // namespace

std::string without_comments(std::string_view text) {
    std::string result(text);
    const auto blank = [&result](std::size_t from, std::size_t to) {
        for (std::size_t k = from; k < to; ++k)
            if (result[k] != '\n') result[k] = ' ';
    };
    for (std::size_t k = 0; k < text.size();) {
        const char c = text[k];
        std::size_t end = k + 1;
        if (text.substr(k, 2) == "//") {
            end = end_of_line_comment(text, k);
            blank(k, end);
        } else if (text.substr(k, 2) == "/*") {
            end = text.find("*/", k + 2);
            end = end == std::string_view::npos ? text.size() : end + 2;
            blank(k, end);
        } else if (c == '"' && k > 0 && text[k - 1] == 'R') {
            end = std::min(end_of_raw_string(text, k), text.size());
            blank(k, end);
        } else if (c == '"' || (c == '\'' && (k == 0 || std::isxdigit(static_cast<unsigned char>(text[k - 1])) == 0))) {
            end = end_of_literal(text, k);
            blank(k + 1, end - 1);
        }
        k = end;
    }
    return result;
}

Position position_of(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t line_start = before.rfind('\n');
    return {.line = static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
            .column = static_cast<int>(offset - (line_start == std::string_view::npos ? 0 : line_start + 1)) + 1};
}

bool Token::is_name() const { return starts_name(text.front()); }

std::vector<Token> tokens_of(std::string_view blanked) {
    std::vector<Token> tokens;
    for (std::size_t k = 0; k < blanked.size();) {
        if (std::isspace(static_cast<unsigned char>(blanked[k])) != 0) {
            ++k;
            continue;
        }
        std::size_t end = k + 1;
        if (continues_name(blanked[k]))
            while (end < blanked.size() && continues_name(blanked[end])) ++end;
        tokens.push_back({k, blanked.substr(k, end - k)});
        k = end;
    }
    return tokens;
}

std::vector<KernelDeclaration> kernels_of(const std::vector<Token>& tokens) {
    std::vector<KernelDeclaration> kernels;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].text != "__global__") continue;
        // The name stands before the first bracket that doesn't belong to an attribute.
        std::size_t open = k + 1;
        while (open < tokens.size() && tokens[open].text != "{" && tokens[open].text != ";") {
            if (tokens[open].text != "(") {
                ++open;
                continue;
            }
            const std::string_view before = tokens[open - 1].text;
            if (before != "__launch_bounds__" && before != "__attribute__" && before != "(") break;
            for (int depth = 0; open < tokens.size(); ++open) {
                depth += tokens[open].text == "(" ? 1 : tokens[open].text == ")" ? -1 : 0;
                if (depth == 0) break;
            }
            ++open;
        }
        if (open >= tokens.size() || tokens[open].text != "(" || !tokens[open - 1].is_name()) continue;
        KernelDeclaration kernel{.name = std::string(tokens[open - 1].text), .parameters = {}};
        std::string last;
        bool in_default = false, any = false;
        int depth = 0;
        for (std::size_t at = open; at < tokens.size(); ++at) {
            const Token& token = tokens[at];
            if (token.text == "(" || token.text == "<" || token.text == "[" || token.text == "{") ++depth;
            const bool ends = token.text == ")" && depth == 1;
            if ((token.text == "," && depth == 1) || ends) {
                if (any) kernel.parameters.push_back(last);
                last.clear();
                in_default = any = false;
                if (ends) break;
                continue;
            }
            if (token.text == ")" || token.text == ">" || token.text == "]" || token.text == "}") --depth;
            if (at > open) any = true;
            if (token.text == "=") in_default = true;
            if (token.is_name() && depth == 1 && !in_default) last = token.text;
        }
        if (kernel.parameters.size() == 1 && kernel.parameters.front() == "void") kernel.parameters.clear();
        kernels.push_back(std::move(kernel));
        k = open;
    }
    return kernels;
}

bool synchronises(const std::vector<Token>& tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
        const std::string_view name = token.text;
        return name.substr(0, 13) == "__syncthreads" || name == "__syncwarp" || name.substr(0, 6) == "__shfl" ||
               name == "__ballot_sync" || name == "__any_sync" || name == "__all_sync" || name == "__match_any_sync";
    });
}

std::string with_dynamic_shared(std::string_view text, const std::vector<Token>& tokens, bool& found) {
    found = false;
    std::string result;
    std::size_t copied = 0;
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        const bool either = (tokens[k].text == "extern" && tokens[k + 1].text == "__shared__") ||
                            (tokens[k].text == "__shared__" && tokens[k + 1].text == "extern");
        if (!either) continue;
        std::size_t end = k + 2;
        while (end < tokens.size() && tokens[end].text != ";") ++end;
        if (end == tokens.size()) break;
        found = true;
        const std::size_t last = tokens[k + 1].offset + tokens[k + 1].text.size();
        result += text.substr(copied, tokens[k].offset - copied);
        // As many characters as before, so that columns stay the learner's up to the declaration's end.
        std::string replaced = "extern __thread";
        replaced.resize(std::max(replaced.size(), last - tokens[k].offset), ' ');
        result += replaced;
        result += text.substr(last, tokens[end].offset - last);
        result += " __asm__(\"gpu_dynamic_shared\")";
        copied = tokens[end].offset;
        k = end;
    }
    result += text.substr(copied);
    return result;
}

}  // namespace gpu::detail::host
