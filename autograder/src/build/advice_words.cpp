// SPDX-License-Identifier: MIT
#include "build/advice_words.hpp"

#include <algorithm>
#include <cctype>

#include "support/text.hpp"

namespace course {

namespace {

constexpr std::string_view of_cmath[] = {"abs",   "acos", "asin",  "atan",  "atan2", "cbrt",     "ceil",  "cos",
                                         "cosh",  "erf",  "exp",   "exp2",  "expm1", "fabs",     "floor", "fma",
                                         "fmax",  "fmin", "fmod",  "hypot", "isinf", "isfinite", "isnan", "log",
                                         "log10", "log2", "log1p", "pow",   "round", "sin",      "sinh",  "sqrt",
                                         "tan",   "tanh", "trunc"};

}  // namespace

bool has(std::string_view text, std::string_view words) { return text.find(words) != text.npos; }

bool is_name_char(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool is_of_cmath(std::string_view name) {
    return is_one_of(name, of_cmath);
}

std::string_view between(std::string_view text, std::string_view before, std::string_view after) {
    const std::size_t from = text.find(before);
    if (from == text.npos) return "";
    text.remove_prefix(from + before.size());
    return text.substr(0, std::min(text.find(after), text.size()));
}

std::string_view last_name(std::string_view text) {
    text = trimmed(text);
    std::size_t from = text.size();
    while (from > 0 && is_name_char(text[from - 1])) --from;
    return text.substr(from);
}

std::string_view in_brackets(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t k = open; k < text.size(); ++k) {
        if (text[k] == '(') ++depth;
        if (text[k] == ')' && --depth == 0) return text.substr(open + 1, k - open - 1);
    }
    return "";
}

std::string_view last_object(std::string_view text) {
    std::size_t from = text.size();
    for (int depth = 0; from > 0; --from) {
        const char c = text[from - 1];
        if (c == ')' || c == ']') ++depth;
        if ((c == '(' || c == '[') && depth-- == 0) break;
        if (depth == 0 && !is_name_char(c) && !has(".:([", std::string_view(&c, 1))) break;
    }
    return from == text.size() ? "x" : text.substr(from);
}

std::vector<std::string_view> arguments_of(std::string_view text) {
    std::vector<std::string_view> parts;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t k = 0; k <= text.size(); ++k) {
        if (k < text.size()) depth += has("([{", text.substr(k, 1)) ? 1 : has(")]}", text.substr(k, 1)) ? -1 : 0;
        if (k < text.size() && (text[k] != ',' || depth > 0)) continue;
        parts.push_back(trimmed(text.substr(from, k - from)));
        from = k + 1;
    }
    return parts;
}

}  // namespace course
