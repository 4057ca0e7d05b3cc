// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

// Declarations of __shared__ variables in a kernel's text, wherever they stand.

/// One name of a declaration. Places are those of tokens.
struct SharedName {
    std::size_t name = 0;
    std::size_t end = 0;          ///< the comma or semicolon behind it, or what begins its initialiser
    bool is_unsized = false;      ///< s[]
    bool is_initialised = false;  ///< = {0}
};

struct SharedDeclaration {
    std::size_t begin = 0, keyword = 0;  ///< its first token, and __shared__
    bool is_extern = false;
    std::vector<SharedName> names;
};

[[nodiscard]] std::vector<SharedDeclaration> shared_declarations(const std::vector<Token>& tokens);

/// The text with its shared variables as a host's compiler takes them, line by line: `extern __shared__ T s[];` becomes
/// the block's dynamic shared memory (in functions a reference to it, which templates can have, too), and what stands
/// between `__shared__` and a type in any order is put in order. `found` tells whether there is dynamic shared memory.
[[nodiscard]] std::string with_shared_variables(std::string_view text, const std::vector<Token>& tokens, bool& found);

/// The text for check mode: the local variables that begin without values, as `float t[8], sum;`, are reported to it
/// where they begin and end, so that it sees who reads them before they are written. What can't be watched stays as it
/// is.
[[nodiscard]] std::string with_watched_variables(std::string_view text, const std::vector<Token>& tokens);

}  // namespace gpu::detail::host
