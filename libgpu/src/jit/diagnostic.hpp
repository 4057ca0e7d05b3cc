// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpu::detail {

/// One error of a compiler's log: g++, clang and NVRTC write it in three ways.
struct Diagnostic {
    std::string file;
    int line = 0;
    int column = 0;  ///< 1 is the first; 0 if the compiler didn't say
    std::string message;
    std::vector<std::string> before;  ///< the log's lines before it: what g++ was about
    std::vector<std::string> rest;    ///< the log's lines behind it: its caret, its notes, other errors
};

/// A place in a file.
struct DiagnosticPlace {
    std::string file;
    int line = 0;
    int column = 0;
};

/// What a template was instantiated by, the innermost call first, where the error is in one.
std::vector<DiagnosticPlace> instantiated_from(const Diagnostic& error);

/// What a static_assert says, without what compilers say of its condition; "" if the error isn't one.
std::string asserted(const Diagnostic& error);

/// The first error in the log.
std::optional<Diagnostic> first_error(const std::string& log);

/// The column that NVRTC's caret shows below an error, in the line as it stands in the source; 0 if there is none.
int column_from_caret(const Diagnostic& error, const std::string& source_line);

}  // namespace gpu::detail
