// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// What a brace opens: told by the words before it, without a parser.
enum class Scope : std::uint8_t { space, type, function, value };

/// A declaration of a namespace or of a class. What stands in functions isn't one, but for their classes' members.
struct Declaration {
    std::vector<std::size_t> tokens;  ///< their places; what stands in braces isn't among them
    Scope scope = Scope::space;       ///< space or type: where it stands
    bool has_body = false;            ///< a function's, or what looks like one
};

/// The declarations of a text. Preprocessor lines are passed over.
[[nodiscard]] std::vector<Declaration> declarations_in(const std::vector<Token>& tokens);

/// By each token: true if it stands in a function, or in a class of one.
[[nodiscard]] std::vector<bool> within_functions(const std::vector<Token>& tokens);

/// By each token: true if it stands between #if and #endif, so that nobody knows here whether it will be compiled. An
/// include guard doesn't count.
[[nodiscard]] std::vector<bool> within_conditions(const std::vector<Token>& tokens);

}  // namespace gpu::detail
