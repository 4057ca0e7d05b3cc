// SPDX-License-Identifier: MIT
#include "host/compile/kernel_variables.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

namespace {

std::string_view text_at(const std::vector<Token>& tokens, std::size_t k) {
    return k < tokens.size() ? tokens[k].text : std::string_view();
}

// The bracket that the ")" at k closes.
std::size_t opening(const std::vector<Token>& tokens, std::size_t k) {
    int depth = 0;
    for (std::size_t at = k + 1; at-- > 0;) {
        if (tokens[at].text == ")") ++depth;
        if (tokens[at].text == "(" && --depth == 0) return at;
    }
    return 0;
}

bool is_attribute(std::string_view name) { return name == "alignas" || name.starts_with("__a"); }

// "extern", "volatile", "__align__(16)", "static", "float", "ns::T" before __shared__.
std::size_t beginning(const std::vector<Token>& tokens, std::size_t keyword) {
    std::size_t begin = keyword;
    while (begin > 0) {
        const Token& before = tokens[begin - 1];
        if (before.in_directive != tokens[keyword].in_directive) break;
        if (before.text == ")") {
            const std::size_t open = opening(tokens, begin - 1);
            if (open == 0 || !is_attribute(tokens[open - 1].text)) break;
            begin = open - 1;
        } else if (before.text == ":" && begin > 1 && tokens[begin - 2].text == ":") {
            begin -= 2;
        } else if (before.is_name() && before.text != "else" && before.text != "do") {
            --begin;
        } else {
            break;
        }
    }
    return begin;
}

// The names that the declaration declares, searched from __shared__ on.
std::vector<SharedName> names_behind(const std::vector<Token>& tokens, std::size_t keyword) {
    std::vector<SharedName> names;
    std::size_t last = 0;
    bool in_type = true, is_named_type = false;  // a struct that is defined here has braces of its own
    int angle = 0;
    for (std::size_t k = keyword + 1; k < tokens.size(); ++k) {
        const std::string_view text = tokens[k].text;
        if (tokens[k].in_directive != tokens[keyword].in_directive || text == "}" || text == ")") break;
        if (text == "struct" || text == "class" || text == "union") is_named_type = true;
        if (text == "{" && is_named_type && in_type) {
            k = closing(tokens, k);
            is_named_type = false;
            continue;
        }
        if (text == "(") {
            k = closing(tokens, k);
            continue;
        }
        if (text == "<") ++angle;
        if (text == ">") --angle;
        if (tokens[k].is_name()) last = k;
        const bool ends = text == "[" || text == "," || text == ";" || text == "=" || text == "{";
        if (!ends || angle > 0) continue;
        if (last == 0) break;
        in_type = false;
        SharedName name{.name = last, .end = k};
        name.is_unsized = text == "[" && text_at(tokens, k + 1) == "]";
        while (text_at(tokens, name.end) == "[") name.end = closing(tokens, name.end) + 1;
        name.is_initialised = text_at(tokens, name.end) == "=" || text_at(tokens, name.end) == "{";
        names.push_back(name);
        k = name.end;
        int depth = 0;
        for (; k < tokens.size() && !(depth == 0 && (tokens[k].text == "," || tokens[k].text == ";")); ++k) {
            if (tokens[k].text == "{" || tokens[k].text == "(") ++depth;
            if (tokens[k].text == "}" || tokens[k].text == ")") --depth;
        }
        if (text_at(tokens, k) != ",") break;
        last = 0;
    }
    return names;
}

/// Edits to a text, applied by position.
class Edits {
public:
    void replace(std::size_t begin, std::size_t end, std::string text) { edits_[begin] = {end, std::move(text)}; }
    void insert(std::size_t at, const std::string& text) { insertions_[at] += text; }
    [[nodiscard]] std::string apply(std::string_view text) const {
        std::string result;
        auto inserted = insertions_.begin();
        std::size_t copied = 0;
        const auto copy_to = [&](std::size_t end) {
            for (; inserted != insertions_.end() && inserted->first <= end; ++inserted) {
                if (inserted->first > copied) result += text.substr(copied, inserted->first - copied);
                copied = std::max(copied, inserted->first);
                result += inserted->second;
            }
            if (end > copied) result += text.substr(copied, end - copied);
            copied = std::max(copied, end);
        };
        for (const auto& [begin, edit] : edits_) {
            copy_to(begin);
            result += edit.text;
            copied = std::max(copied, edit.end);
        }
        copy_to(text.size());
        return result;
    }

private:
    struct Edit {
        std::size_t end;
        std::string text;
    };
    std::map<std::size_t, Edit> edits_;
    std::map<std::size_t, std::string> insertions_;
};

// Blanks in place of a word, except `fewer` of them: then text inserted elsewhere moves nothing.
void blank(Edits& edits, const Token& word, std::size_t fewer = 0) {
    edits.replace(word.offset, word.end(), std::string(word.text.size() - fewer, ' '));
}

void add_dynamic(Edits& edits, const std::vector<Token>& tokens, const SharedDeclaration& one, bool in_function) {
    if (!in_function) {
        edits.replace(tokens[one.keyword].offset, tokens[one.keyword].end(), " ");
        for (const SharedName& name : one.names)
            edits.insert(tokens[name.end - 1].end(), " gpu_at_dynamic_shared");
    } else {
        blank(edits, tokens[one.keyword], 2);
        for (const SharedName& name : one.names) {
            edits.replace(tokens[name.name].offset, tokens[name.name].end(),
                          "(&" + std::string(tokens[name.name].text) + ')');
            edits.insert(tokens[name.end - 1].end(),
                         " = (decltype(" + std::string(tokens[name.name].text) + "))gpu_dynamic_shared");
        }
    }
}

// `__shared__ alignas(16) float s[4]`: the alignment must precede the declaration's first word.
void move_alignment(Edits& edits, std::string_view text, const std::vector<Token>& tokens,
                    const SharedDeclaration& one) {
    if (one.names.empty()) return;
    for (std::size_t k = one.begin + 1; k < one.names.front().name; ++k) {
        if (tokens[k].text == "{") break;
        if (tokens[k].text != "alignas" || text_at(tokens, k + 1) != "(") continue;
        const std::size_t end = tokens[closing(tokens, k + 1)].end();
        const std::string alignment(text.substr(tokens[k].offset, end - tokens[k].offset));
        if (alignment.find('\n') != std::string::npos) return;
        edits.insert(tokens[one.begin].offset, alignment + ' ');
        edits.replace(tokens[k].offset, end, "");
        return;
    }
}

}  // namespace

std::vector<SharedDeclaration> shared_declarations(const std::vector<Token>& tokens) {
    std::vector<SharedDeclaration> found;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (tokens[k].text != "__shared__") continue;
        SharedDeclaration one{.begin = beginning(tokens, k), .keyword = k, .names = names_behind(tokens, k)};
        const std::size_t end = one.names.empty() ? k + 1 : one.names.front().name;
        for (std::size_t at = one.begin; at < end; ++at) one.is_extern = one.is_extern || tokens[at].text == "extern";
        found.push_back(std::move(one));
    }
    return found;
}

std::string with_shared_variables(std::string_view text, const std::vector<Token>& tokens, bool& found) {
    found = false;
    const std::vector<SharedDeclaration> all = shared_declarations(tokens);
    if (all.empty()) return std::string(text);
    const std::vector<bool> in_function = within_functions(tokens);
    Edits edits;
    for (const SharedDeclaration& one : all) {
        const bool is_dynamic = one.is_extern && !one.names.empty() && one.names.front().is_unsized;
        const bool is_local = in_function[one.keyword] || tokens[one.keyword].in_directive;
        found = found || is_dynamic;
        const std::size_t end = one.names.empty() ? one.keyword : one.names.front().name;
        for (std::size_t k = one.begin; k < end; ++k) {
            const std::string_view word = tokens[k].text;
            if (word == "{") break;
            if (word == "static") blank(edits, tokens[k]);
            if (word != "extern") continue;
            if (is_dynamic && !is_local)
                edits.replace(tokens[k].offset, tokens[k].end(), "extern __thread");
            else
                blank(edits, tokens[k]);
        }
        if (is_dynamic)
            add_dynamic(edits, tokens, one, is_local);
        else
            move_alignment(edits, text, tokens, one);
    }
    return edits.apply(text);
}

namespace {

// The C library writes these functions' results unseen. Jumping past an array's declaration is valid C++, but clang
// rejects it.
bool hinders(const Token& token) {
    return is_one_of(token.text, {"frexp", "frexpf", "modf", "modff", "remquo", "remquof", "goto", "asm", "__asm__"});
}

// Words that make a statement something other than a local variable's declaration.
bool is_other(std::string_view word) {
    return word.starts_with("__") ||
           is_one_of(word, {"return",    "static",   "extern", "typedef", "using",  "delete",   "throw",   "case",
                            "constexpr", "volatile", "auto",   "new",     "else",   "do",       "default", "friend",
                            "const",     "operator", "public", "private", "goto",   "register", "inline",  "template",
                            "enum",      "if",       "for",    "while",   "sizeof", "namespace"});
}

/// For each token, whether it is directly inside a block of statements, not in brackets.
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

// The variables that the statement at `k` declares; none if it is anything else.
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
            // Following text in the line would move, and messages give columns.
            return k + 1 == tokens.size() || tokens[k + 1].line > tokens[k].line ? variables : LocalVariables{};
        }
        if (tokens[k].text != ",") return {};
        words = 0;
    }
    return {};
}

/// True if a variable is assigned before anything may read it: `int i; for (i = 0; ...`. Watching it would only be
/// slow.
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
    return true;   // it is never used
}

// Functions called in a constexpr function must be constexpr too.
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
