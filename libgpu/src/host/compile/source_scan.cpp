// SPDX-License-Identifier: MIT
#include "host/compile/source_scan.hpp"

#include <algorithm>
#include <cctype>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

namespace {

bool starts_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }

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
            blank(k + 1, text[end - 1] == c ? std::max(end - 1, k + 1) : end);
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
        if (is_name_part(blanked[k]))
            while (end < blanked.size() && is_name_part(blanked[end])) ++end;
        tokens.push_back({k, blanked.substr(k, end - k)});
        k = end;
    }
    return tokens;
}

std::vector<std::string> parameter_names(const std::string& parameters) {
    const std::string blanked = without_comments(parameters);
    std::vector<std::string> names;
    std::string last;
    int depth = 0, words = 0;
    bool in_default = false;
    for (const Token& token : tokens_of(blanked)) {
        const std::string_view text = token.text;
        if (depth == 1 && (text == "," || text == ")")) {
            // A single word is a type: "int". "unsigned int" looks like a type and a name, and does no harm.
            if (words > 0) names.push_back(words > 1 ? last : "");
            last.clear();
            words = 0;
            in_default = false;
            if (text == ")") break;
            continue;
        }
        if (text == "(" || text == "[" || text == "{" || (text == "<" && !in_default)) ++depth;
        if (text == ")" || text == "]" || text == "}" || (text == ">" && !in_default)) --depth;
        if (text == "=") in_default = true;  // where "<" may be a comparison
        if (depth == 1 && !in_default && text == "*") last.clear();
        if (depth == 1 && !in_default && (token.is_name() || text == "*")) ++words;
        if (depth == 1 && !in_default && token.is_name()) last = text;
    }
    if (names.size() == 1 && names.front().empty() && blanked.find("void") != std::string::npos &&
        blanked.find('*') == std::string::npos)
        names.clear();
    return names;
}

bool synchronises(const std::vector<Token>& tokens) {
    return std::any_of(tokens.begin(), tokens.end(), [](const Token& token) {
        const std::string_view name = token.text;
        constexpr std::string_view sync = "_sync";
        return name.substr(0, 13) == "__syncthreads" || name == "__syncwarp" || name == "__activemask" ||
               name == "__nanosleep" || name == "cooperative_groups" ||
               (name.size() > sync.size() && name.substr(0, 2) == "__" &&
                name.substr(name.size() - sync.size()) == sync);
    });
}

bool is_no_kernel(const std::vector<Token>& tokens, std::string_view name) {
    bool found = false;
    for (std::size_t k = 1; k + 1 < tokens.size(); ++k) {
        if (tokens[k].text == "define") return false;  // __global__ may stand behind a macro
        if (tokens[k].text != name || tokens[k + 1].text != "(") continue;
        bool kernel = false, function = false;
        for (std::size_t at = k; at-- > 0;) {
            const std::string_view word = tokens[at].text;
            if (word == ";" || word == "{" || word == "}") break;
            kernel = kernel || word == "__global__";
            function = function || word == "void" || word == "__device__";
        }
        if (kernel) return false;
        found = found || function;
    }
    return found;
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

std::string without_instantiations(std::string text, const std::vector<Token>& tokens) {
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        if (tokens[k].text != "template" || tokens[k + 1].text == "<") continue;
        std::size_t end = k + 1;
        bool is_kernel = false;
        for (; end < tokens.size() && tokens[end].text != ";" && tokens[end].text != "{"; ++end)
            is_kernel = is_kernel || tokens[end].text == "__global__";
        if (!is_kernel || end == tokens.size() || tokens[end].text != ";") continue;
        for (std::size_t at = tokens[k].offset; at < tokens[end].offset; ++at)
            if (text[at] != '\n') text[at] = ' ';
        k = end;
    }
    return text;
}

std::string without_static_variables(std::string text, const std::vector<Token>& tokens) {
    const auto is_space = [](std::string_view word) { return word == "__device__" || word == "__constant__"; };
    for (std::size_t k = 0; k + 1 < tokens.size(); ++k) {
        const bool either = (tokens[k].text == "static" && is_space(tokens[k + 1].text)) ||
                            (is_space(tokens[k].text) && tokens[k + 1].text == "static");
        if (!either) continue;
        std::size_t end = k + 2;
        constexpr std::string_view ends = ";=[{(";
        while (end < tokens.size() && ends.find(tokens[end].text) == std::string_view::npos) ++end;
        if (end == tokens.size() || tokens[end].text == "(") continue;  // a function
        const Token& word = tokens[k].text == "static" ? tokens[k] : tokens[k + 1];
        for (std::size_t at = word.offset; at < word.offset + word.text.size(); ++at) text[at] = ' ';
    }
    return text;
}

}  // namespace gpu::detail::host
