// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "jit/compile_error.hpp"

namespace gpu::detail {

/// A bracket in the learner's text that is never closed, or that closes nothing.
struct UnbalancedBracket {
    SourceSpot spot;
    std::string message;
};

/// The first one in the learner's pieces, each of which must be balanced by itself. Compilers report where they
/// noticed, which is often elsewhere, or in libgpu's own text.
[[nodiscard]] std::optional<UnbalancedBracket> unbalanced_bracket(const SourceMap& map);

/// True if brackets can be counted without a preprocessor: no #if and no #define affects them.
[[nodiscard]] bool brackets_are_plain(const SourceMap& map);

/// A name that a linker didn't find, and where the learner's text declares it.
struct UndefinedName {
    std::string message;  ///< "f(int) is declared, and defined nowhere"
    SourceSpot declared;
    std::string help;
};

/// The first one in the log of a failed link; nothing if the log is about something else, or if the learner's text
/// doesn't declare the name.
[[nodiscard]] std::optional<UndefinedName> undefined_name(const std::string& log, const SourceMap& map);

/// The name that was probably meant, among those that the code declares and CUDA's own; empty if none is close.
[[nodiscard]] std::string similar_name(const std::string& name, const std::string& code);

/// True if two different names differ by a typing slip: case, underscores at the ends, a letter or two.
[[nodiscard]] bool are_similar(const std::string& name, const std::string& other);

}  // namespace gpu::detail
