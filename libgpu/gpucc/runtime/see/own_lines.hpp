// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gpucc {

/// The lines of a file that its device text has, each where its number is: what lies between them, host code and
/// comments, is left empty. Pure.
struct OwnLines {
    /// `source` begins with line `first_line` of `file`, and has `#line` where it goes on elsewhere.
    OwnLines(const std::string& source, const std::string& file, int first_line);

    std::string text;
    int first = 1;  ///< the number of its first line
};

}  // namespace gpucc
