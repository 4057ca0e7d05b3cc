// SPDX-License-Identifier: MIT
#include "host/compile/shared_declarations.hpp"

#include <algorithm>
#include <map>

#include "codegen/kernel_scopes.hpp"

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

// What the declaration declares, from behind __shared__ on.
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

/// Changes of a text, put in by place.
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

// Blanks in a word's place, but for `fewer` of them: what is put in elsewhere moves nothing then.
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

// `__shared__ alignas(16) float s[4]`: the alignment must stand before the declaration's first word.
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

}  // namespace gpu::detail::host
