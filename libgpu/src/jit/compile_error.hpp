// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// One error of a compiler's log: g++, clang and NVRTC write it in three ways.
struct Diagnostic {
    std::string file;
    int line = 0;
    int column = 0;        ///< 1 is the first; 0 if the compiler didn't say
    std::string message;
};

/// The first error in the log.
std::optional<Diagnostic> first_error(const std::string& log);

/// A line of the text that was compiled, found through its #line directives; empty if it isn't there.
std::string source_line(const std::string& text, const std::string& file, int line);

/// What the learner is told: "kernel add does not compile", then file, line and message, the line, a caret.
std::string explain_compile_failure(const KernelSource& source, const std::string& log);

}  // namespace gpu::detail
