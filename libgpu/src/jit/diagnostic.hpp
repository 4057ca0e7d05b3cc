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
    std::vector<std::string> rest;  ///< the log's lines behind it: its caret, its notes, other errors
};

/// The first error in the log.
std::optional<Diagnostic> first_error(const std::string& log);

/// The column that NVRTC's caret shows below an error, in the line as it stands in the source; 0 if there is none.
int column_from_caret(const Diagnostic& error, const std::string& source_line);

}  // namespace gpu::detail
