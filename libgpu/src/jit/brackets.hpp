// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "jit/source_map.hpp"

namespace gpu::detail {

/// A bracket of the learner's that nothing closes, or that closes nothing.
struct UnbalancedBracket {
    SourceSpot spot;
    std::string message;
};

/// The first one in the learner's pieces of the text, each of which must be balanced by itself. Compilers show where
/// they noticed, which is often elsewhere, and in text of ours.
[[nodiscard]] std::optional<UnbalancedBracket> unbalanced_bracket(const SourceMap& map);

/// True if brackets can be counted without a preprocessor: no #if and no #define changes them.
[[nodiscard]] bool brackets_are_plain(const SourceMap& map);

}  // namespace gpu::detail
