// SPDX-License-Identifier: MIT
#include "host/compile/local_arrays.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "codegen/kernel_scopes.hpp"

namespace gpu::detail::host {

namespace {

// The C library writes to these functions' results unseen; a jump over an array's beginning is no error in C++, but
// clang takes it for one.
bool hinders(const Token& token) {
    return is_one_of(token.text, {"frexp", "frexpf", "modf", "modff", "remquo", "remquof", "goto", "asm", "__asm__"});
}

// Words that make a statement something else than a local variable's declaration.
bool is_other(std::string_view word) {
    return word.starts_with("__") ||
           is_one_of(word, {"return",    "static",   "extern", "typedef", "using",  "delete",   "throw",   "case",
                            "constexpr", "volatile", "auto",   "new",     "else",   "do",       "default", "friend",
                            "const",     "operator", "public", "private", "goto",   "register", "inline",  "template",
                            "enum",      "if",       "for",    "while",   "sizeof", "namespace"});
}

/// By each token: whether what surrounds it is a block of statements, in no brackets.
std::vector<bool> in_blocks(const std::vector<Token>& tokens) {
    const std::vector<bool> in_function = within_functions(tokens);
    std::vector<bool> result(tokens.size()), open;
    bool is_type = false;
    int round = 0;
    std::vector<int> rounds;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        result[k] = !open.empty() && open.back() && round == 0 && in_function[k] && !tokens[k].in_directive;
        if (tokens[k].in_directive) continue;
        const std::string_view text = tokens[k].text;
        if (text == "(" || text == "[") ++round;
        if (text == ")" || text == "]") --round;
        if (is_one_of(text, {"struct", "class", "union", "enum", "switch", "="})) is_type = true;
        if (text == "{") {
            open.push_back(!is_type);
            rounds.push_back(std::exchange(round, 0));
        }
        if (text == "}" && !open.empty()) {
            open.pop_back();
            round = rounds.back();
            rounds.pop_back();
        }
        if (text == "{" || text == "}" || text == ";") is_type = false;
    }
    return result;
}

/// A declaration without values: "float t[4], u[2][3], sum;".
struct LocalVariables {
    std::vector<std::size_t> names, ends;  ///< by variable: its name, and the last token of its declarator
    std::size_t semicolon = 0;
};

// The statement that begins at `k`; none if it is anything else.
LocalVariables local_variables_at(const std::vector<Token>& tokens, std::size_t k) {
    LocalVariables variables;
    std::size_t words = 0;
    for (; k + 1 < tokens.size(); ++k) {
        const Token& token = tokens[k];
        if (is_one_of(token.text, {"__align__", "alignas"}) && tokens[k + 1].text == "(") {
            k = closing(tokens, k + 1);
            continue;
        }
        if (token.is_name() && !is_other(token.text)) {
            ++words;
            continue;
        }
        if (token.text == ":" && tokens[k + 1].text == ":") {
            ++k;
            words = 0;
            continue;
        }
        if (words < (variables.names.empty() ? 2U : 1U) || !tokens[k - 1].is_name()) return {};
        if (token.text != "[" && token.text != "," && token.text != ";") return {};
        variables.names.push_back(k - 1);
        variables.ends.push_back(k - 1);
        int dimensions = 0;
        for (; k < tokens.size() && tokens[k].text == "["; ++k, ++dimensions)
            variables.ends.back() = k = closing(tokens, k);
        if (dimensions > 2 || k >= tokens.size()) return {};
        if (tokens[k].text == ";") {
            variables.semicolon = k;
            // What followed in the line would move, and messages name columns.
            return k + 1 == tokens.size() || tokens[k + 1].line > tokens[k].line ? variables : LocalVariables{};
        }
        if (tokens[k].text != ",") return {};
        words = 0;
    }
    return {};
}

/// A variable that gets its value before anything may read it: `int i; for (i = 0; ...`. Watched, it would only be slow.
bool is_assigned_first(const std::vector<Token>& tokens, std::size_t semicolon, std::string_view name) {
    int depth = 0;
    for (std::size_t k = semicolon + 1; k + 2 < tokens.size() && depth >= 0; ++k) {
        if (tokens[k].text == "{") ++depth;
        if (tokens[k].text == "}") --depth;
        if (tokens[k].text != name) continue;
        const bool is_assigned = tokens[k + 1].text == "=" && tokens[k + 2].text != "=";
        const bool begins_loop = tokens[k - 1].text == "(" && tokens[k - 2].text == "for";
        return is_assigned && depth == 0 && (begins_loop || is_one_of(tokens[k - 1].text, {";", "}"}));
    }
    return true;   // nobody names it
}

// What is called in one must be one.
bool has_constexpr_function(const std::vector<Token>& tokens) {
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].text != "constexpr" && tokens[k].text != "consteval") continue;
        while (k < tokens.size() && !is_one_of(tokens[k].text, {"(", ";", "="})) ++k;
        if (k < tokens.size() && tokens[k].text == "(" && tokens[k - 1].text != "if") return true;
    }
    return false;
}

}  // namespace

std::string with_watched_variables(std::string_view text, const std::vector<Token>& tokens) {
    if (std::any_of(tokens.begin(), tokens.end(), hinders)) return std::string(text);
    const std::vector<bool> in_block = in_blocks(tokens);
    const bool watches_scalars = !has_constexpr_function(tokens);
    std::map<std::size_t, std::string> insertions;
    for (std::size_t k = 1; k < tokens.size(); ++k) {
        const Token& before = tokens[k - 1];
        if (!in_block[k] || !tokens[k].is_name()) continue;
        if (!before.in_directive && !is_one_of(before.text, {";", "{", "}"})) continue;
        const LocalVariables variables = local_variables_at(tokens, k);
        for (std::size_t at = 0; at < variables.names.size(); ++at) {
            const std::string name(tokens[variables.names[at]].text);
            const bool is_scalar = variables.ends[at] == variables.names[at];
            if (is_scalar && (!watches_scalars || is_assigned_first(tokens, variables.semicolon, name))) continue;
            insertions[tokens[variables.ends[at]].end()] = " __attribute__((cleanup(gpu_local_ends)))";
            insertions[tokens[variables.semicolon].end()] += " gpu_local_begins(" + name + ", \"" + name + "\");";
        }
    }
    std::string result;
    std::size_t copied = 0;
    for (const auto& [at, insertion] : insertions) {
        result.append(text.substr(copied, at - copied)).append(insertion);
        copied = at;
    }
    return result.append(text.substr(copied));
}

}  // namespace gpu::detail::host
