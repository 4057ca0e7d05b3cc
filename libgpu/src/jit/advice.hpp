// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "jit/diagnostic.hpp"

namespace gpu::detail {

/// An error in the same words for every compiler, and what to do about it.
struct Advice {
    std::string message;
    std::string help = {};           ///< empty: the message says it all
    bool after_code_before = false;  ///< shown where the code before the compiler's place ends
    int column = 0;                  ///< shown here in the line; 0: where the compiler says
};

/// What a compiler's message means for a learner; its own words where that isn't known.
[[nodiscard]] Advice advice_on(const Diagnostic& error, const SourceMap& map);

/// The name of a message that says it isn't declared; empty for other messages.
[[nodiscard]] std::string undeclared_name(std::string_view message);

}  // namespace gpu::detail
