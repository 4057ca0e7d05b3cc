// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

// Declarations of __shared__ variables anywhere in a kernel's text.

/// One name of a declaration. Positions are token indices.
struct SharedName {
    std::size_t name = 0;
    std::size_t end = 0;          ///< the comma or semicolon after it, or the beginning of its initialiser
    bool is_unsized = false;      ///< s[]
    bool is_initialised = false;  ///< = {0}
};

struct SharedDeclaration {
    std::size_t begin = 0, keyword = 0;  ///< its first token, and __shared__
    bool is_extern = false;
    std::vector<SharedName> names;
};

[[nodiscard]] std::vector<SharedDeclaration> shared_declarations(const std::vector<Token>& tokens);

/// The text with its shared variables rewritten, line by line, for the host's compiler: `extern __shared__ T s[];`
/// becomes the block's dynamic shared memory (inside functions a reference to it, which templates can have, too), and
/// the words between `__shared__` and a type are put in a valid order. `found` says whether there is dynamic shared
/// memory.
[[nodiscard]] std::string with_shared_variables(std::string_view text, const std::vector<Token>& tokens, bool& found);

/// The text for check mode: local variables without initialisers, such as `float t[8], sum;`, are reported where they
/// begin and end, so that check mode sees who reads them before they are written. What can't be watched stays
/// unchanged.
[[nodiscard]] std::string with_watched_variables(std::string_view text, const std::vector<Token>& tokens);

}  // namespace gpu::detail::host
