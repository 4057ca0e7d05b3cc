// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpucc {

using gpu::detail::Token;

/// Tokens from `begin` to before `end`.
struct Range {
    std::size_t begin = 0, end = 0;
    [[nodiscard]] bool empty() const { return begin >= end; }
    [[nodiscard]] bool holds(std::size_t token) const { return begin <= token && token < end; }
};

/// What a declaration declares.
enum class Kind : std::uint8_t { function, variable, type, alias, directive, forward, other };

/// CUDA's words in a declaration's own words.
struct Annotations {
    bool global = false, device = false, host = false, constant = false, managed = false, shared = false;
};

/// A declaration in a namespace or in a class, found without a parser.
struct Item {
    Kind kind = Kind::other;
    Range tokens;                             ///< all of it, with its last ';' or '}'
    std::vector<std::string> names = {};      ///< what it makes known: a function's name, a type's, its enumerators
    std::vector<std::string> variables = {};  ///< those that it declares, as in `struct { int n; } config;`
    std::string scope = {};                   ///< the namespaces and classes around it: "a::b::"
    std::vector<std::string> spaces =
        {};  ///< the words that open these namespaces again: "namespace a", "extern \"C\""
    Annotations annotations = {};
    bool is_template = false, is_constant = false, is_virtual = false, is_extern = false, is_static = false;
    Range parameters = {};  ///< a function's, between its brackets
    Range body = {};        ///< a function's or a class's, with its braces; a function's begins at ':' if it has one
    std::vector<Item> members = {};  ///< a class's

    [[nodiscard]] bool is_kernel() const { return kind == Kind::function && annotations.global; }
    /// True for a function or a variable that the device has.
    [[nodiscard]] bool is_for_device() const {
        return annotations.global || annotations.device || annotations.constant || annotations.managed ||
               annotations.shared;
    }
};

/// The declarations of a text in their order; those in namespaces and in `extern "C"` stand among them.
[[nodiscard]] std::vector<Item> items_of(const std::vector<Token>& tokens);

/// One parameter of a function.
struct ParameterName {
    std::string name;  ///< empty: it has none
    bool is_pack = false;
    std::size_t end = 0;        ///< the token behind its declarator, where a name can be put
    std::size_t reference = 0;  ///< its '&', if it is a reference with a name
};
[[nodiscard]] std::vector<ParameterName> parameter_names(const std::vector<Token>& tokens, Range parameters);

/// The token behind the '>' that closes the '<' at `open`; `limit` if none does.
[[nodiscard]] std::size_t behind_angle(const std::vector<Token>& tokens, std::size_t open, std::size_t limit);

}  // namespace gpucc
