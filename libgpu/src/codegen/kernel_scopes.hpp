// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
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

/// An if, an else, a switch or a loop, with all that belongs to it: tokens from `begin` to before `end`.
struct ControlStatement {
    bool is_loop = false;
    std::size_t begin = 0, end = 0;
    [[nodiscard]] bool holds(std::size_t token) const { return begin <= token && token < end; }
};

/// All of them, those within others first.
[[nodiscard]] std::vector<ControlStatement> control_statements(const std::vector<Token>& tokens);

/// What may keep a thread from a place in a function.
struct WayTo {
    bool in_branch = false;      ///< it stands in an if, an else or a switch
    bool in_loop = false;        ///< it stands in a loop
    bool behind_return = false;  ///< a return stands before it in the function
};

/// The way to the first barrier that is named on this line; none if none is, as where a macro calls it.
[[nodiscard]] std::optional<WayTo> way_to_barrier(const std::vector<Token>& tokens, int line);
/// "tile" of `tile.sync()` or `cg::sync(tile)` on this line; empty if there is neither.
[[nodiscard]] std::string synchronized_group(const std::vector<Token>& tokens, int line);
/// The way to a token.
[[nodiscard]] WayTo way_to(const std::vector<Token>& tokens, std::size_t target);

}  // namespace gpu::detail
