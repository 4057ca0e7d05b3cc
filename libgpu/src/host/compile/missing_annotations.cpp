// SPDX-License-Identifier: MIT
#include "host/compile/missing_annotations.hpp"

#include <algorithm>
#include <set>

#include "codegen/kernel_scopes.hpp"

namespace gpu::detail::host {

namespace {

using Names = std::set<std::string_view>;

constexpr std::string_view no_function = "A function without execution space annotations is the host's";
constexpr std::string_view host_function = "A function marked as __host__ alone is the host's";
constexpr std::string_view no_variable = "A variable without memory space annotations is the host's";

bool is_annotation(std::string_view word) {
    return word == "__device__" || word == "__global__" || word == "__constant__" || word == "__shared__" ||
           word == "__managed__";
}

Names macros_of(const std::vector<Token>& tokens) {
    Names macros;
    for (std::size_t k = 2; k < tokens.size(); ++k)
        if (tokens[k].in_directive && tokens[k - 1].text == "define") macros.insert(tokens[k].text);
    return macros;
}

/// A declaration's words.
class Words {
public:
    Words(const std::vector<Token>& tokens, const Declaration& declaration)
        : tokens_(tokens), places_(declaration.tokens) {}

    [[nodiscard]] std::size_t size() const { return places_.size(); }
    [[nodiscard]] const Token& token(std::size_t k) const { return tokens_[places_[k]]; }
    [[nodiscard]] std::string_view operator[](std::size_t k) const { return k < size() ? token(k).text : ""; }
    template <class Predicate>
    [[nodiscard]] bool any(const Predicate& predicate) const {
        return std::any_of(places_.begin(), places_.end(), [&](std::size_t at) { return predicate(tokens_[at]); });
    }
    [[nodiscard]] bool has(std::string_view word) const {
        return any([&](const Token& token) { return token.text == word; });
    }

    // Where the `operator` stands whose sign, or the bracket behind it, is at k.
    [[nodiscard]] std::size_t operator_before(std::size_t k) const {
        for (std::size_t at = k; at-- > 0 && at + 4 > k;)
            if ((*this)[at] == "operator") return at;
        return size();
    }

    // The name before a function's parameters; size() if there are none.
    [[nodiscard]] std::size_t function() const {
        for (std::size_t k = 1; k < size(); ++k) {
            const std::size_t sign = operator_before(k);
            if ((*this)[k] == "=" && sign == size()) break;
            if ((*this)[k] != "(") continue;
            if (sign < size()) return sign;
            const Token& before = token(k - 1);
            if (before.is_name() && !before.text.starts_with("__") && before.text != "alignas" &&
                before.text != "decltype" && before.text != "noexcept" && before.text != "explicit")
                return k - 1;
        }
        return size();
    }

private:
    const std::vector<Token>& tokens_;
    const std::vector<std::size_t>& places_;
};

// Not a variable, or one that only the compiler needs.
bool is_no_variable(const Words& words) {
    constexpr std::string_view others[] = {"using",   "typedef",   "template", "namespace", "static_assert",
                                           "friend",  "constexpr", "const",    "extern",    "asm",
                                           "__asm__", "enum",      "concept",  "operator"};
    return words.any([&](const Token& token) {
        return std::find(std::begin(others), std::end(others), token.text) != std::end(others);
    });
}

// The name in "static float table[4] = {...}"; size() if it doesn't look like a variable.
std::size_t variable_name(const Words& words) {
    std::size_t names = 0, last = words.size();
    for (std::size_t k = 0; k < words.size(); ++k) {
        const std::string_view text = words[k];
        if (text == "(") return words.size();
        if (text == "[" || text == "=" || text == ",") break;
        if (!words.token(k).is_name()) continue;
        if (text == "struct" || text == "class" || text == "union") return words.size();
        ++names;
        last = k;
    }
    return names >= 2 ? last : words.size();
}

// "constexpr auto f = [](int a) ..."
bool is_lambda(const Words& words) {
    for (std::size_t k = 0; k + 1 < words.size(); ++k)
        if (words[k] == "=") return words[k + 1] == "[";
    return false;
}

}  // namespace

void add_missing_annotations(const std::vector<Token>& tokens, Refusals& refusals) {
    const Names macros = macros_of(tokens);
    const std::vector<bool> perhaps = within_conditions(tokens);
    Names of_device;
    for (const Declaration& declaration : declarations_in(tokens)) {
        const Words words(tokens, declaration);
        const std::size_t function = words.function();
        const bool annotated = words.any([&](const Token& token) { return is_annotation(token.text); });
        if (annotated) {
            if (function < words.size()) of_device.insert(words[function]);
            continue;
        }
        if (perhaps[declaration.tokens.front()]) continue;
        if (words.any([&](const Token& token) { return macros.count(token.text) != 0; })) continue;
        if (declaration.has_body) {
            if (function == words.size() || of_device.count(words[function]) != 0) continue;
            refusals.add(words.token(function), words[function], words.has("__host__") ? host_function : no_function);
        } else if (declaration.scope == Scope::space && is_lambda(words)) {
            refusals.add(words.token(0), "lambda", no_function);
        } else if (declaration.scope == Scope::space && !is_no_variable(words)) {
            if (function > 0 && function < words.size())
                refusals.add(words.token(function), words[function], no_function);
            else if (const std::size_t name = variable_name(words); name < words.size())
                refusals.add(words.token(name), words[name], no_variable);
        }
    }
}

}  // namespace gpu::detail::host
