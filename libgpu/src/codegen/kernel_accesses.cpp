// SPDX-License-Identifier: MIT
#include "codegen/kernel_accesses.hpp"

#include <algorithm>
#include <iterator>

#include "codegen/kernel_raw_array.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

namespace {

// The layout of gpu::StridedView.
constexpr const char* strided_view = R"(template <class T, int Rank> struct StridedView {
    T* data;
    long long shape[Rank], strides[Rank];
    template <class... Index> __device__ T& operator()(Index... index) const {
        static_assert(sizeof...(Index) == Rank, "a StridedView takes an index for each of its axes");
        const long long at[] = {(long long)index...};
        long long offset = 0;
        for (int axis = 0; axis < Rank; ++axis) offset += at[axis] * strides[axis];
        return data[offset];
    }
};
)";

}  // namespace

std::string layout_checks(const std::vector<StructLayout>& structs) {
    std::string text;
    for (const StructLayout& layout : structs) {
        const std::string bytes = std::to_string(layout.bytes), alignment = std::to_string(layout.alignment);
        text += "#line 1 \"libgpu:struct\"\nstatic_assert(sizeof(" + layout.name + ") == " + bytes + " && alignof(" +
                layout.name + ") == " + alignment + ", \"" + layout.name + " has " + bytes +
                " bytes and an alignment of " + alignment +
                " in the C++ code, and others here: declare the same members in the same order\");\n";
    }
    return text;
}

std::string strided_view_text(const std::vector<Token>& tokens) {
    bool named = false;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        if (!tokens[k].is_name() || tokens[k].text != "StridedView") continue;
        if (k > 0 && tokens[k - 1].text == "struct") return {};
        named = true;
    }
    return named ? strided_view : "";
}

namespace {

// `z & x` and `z && x` are operators of two values, `(&x)` and `f(&x)` take an address.
bool takes_address(const std::vector<Token>& tokens, std::size_t k) {
    if (k == 0 || tokens[k - 1].text != "&") return false;
    if (k == 1) return true;
    const Token& before = tokens[k - 2];
    return before.kind == TokenKind::punctuation && before.text != ")" && before.text != "]" && before.text != "&";
}

// Whether the statement `name = value;` begins at k, with a value that doesn't need the name.
bool is_assignment(const std::vector<Token>& tokens, std::size_t k) {
    if (k + 2 >= tokens.size() || tokens[k + 1].text != "=" || tokens[k + 2].text == "=") return false;
    const std::size_t end = find_token(tokens, ";", k);
    for (std::size_t at = k + 1; at < end; ++at)
        if (tokens[at].is_name() && tokens[at].text == tokens[k].text) return false;
    return true;
}

// Whether a preamble defines a macro that could hide a way out of the body, or the output.
bool hides_more(const Snippet& preamble, std::string_view output) {
    constexpr std::string_view hiding[] = {"return", "goto",   "if", "else", "for", "while",
                                           "do",     "switch", ";",  "{",    "}"};
    const std::vector<Token> tokens = tokens_of(preamble.text);
    return std::any_of(tokens.begin(), tokens.end(), [&](const Token& token) {
        return token.in_directive && (token.text == output ||
                                      std::find(std::begin(hiding), std::end(hiding), token.text) != std::end(hiding));
    });
}

}  // namespace

int line_naming(const Snippet& snippet, std::string_view name) {
    for (const Token& token : tokens_of(snippet.text))
        if (token.is_name() && token.text == name) return snippet.line + token.line - 1;
    return snippet.line;
}

bool assigns_first(const ElementwiseText& text, std::string_view output) {
    if (has_raw(text.parameters) || hides_more(text.preamble, output)) return false;
    const std::vector<Token> tokens = tokens_of(text.body.text);
    bool is_assigned = false;
    int depth = 0;
    for (std::size_t k = 0; k < tokens.size(); ++k) {
        const Token& token = tokens[k];
        if (token.in_directive) return false;
        if (token.text == "(" || token.text == "[" || token.text == "{") ++depth;
        if (token.text == ")" || token.text == "]" || token.text == "}") --depth;
        if (!token.is_name()) continue;
        if (!is_assigned && (token.text == "return" || token.text == "goto")) return false;
        if (token.text != output) continue;
        if (takes_address(tokens, k)) return false;
        const bool begins = k == 0 || tokens[k - 1].text == ";" || tokens[k - 1].text == "}";
        if (!is_assigned && !(depth == 0 && begins && is_assignment(tokens, k))) return false;
        is_assigned = true;
    }
    return is_assigned;
}

}  // namespace gpu::detail
