// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "jit/compile_error.hpp"

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

/// What a linker didn't find, and where the learner's text declares it.
struct UndefinedName {
    std::string message;  ///< "f(int) is declared, and defined nowhere"
    SourceSpot declared;
    std::string help;
};

/// The first of them, in the log of a compiler whose linker failed; none if the log is about something else, or if the
/// learner's text doesn't declare the name.
[[nodiscard]] std::optional<UndefinedName> undefined_name(const std::string& log, const SourceMap& map);

/// The name that was probably meant, out of those that the code declares and CUDA's own; empty if none is near.
[[nodiscard]] std::string similar_name(const std::string& name, const std::string& code);

/// True if two different names differ by what one mistypes: case, underscores at the ends, a letter or two.
[[nodiscard]] bool are_similar(const std::string& name, const std::string& other);

}  // namespace gpu::detail
