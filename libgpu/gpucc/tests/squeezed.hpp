// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>

namespace gpucc {

/// A text without its line markers and blanks.
inline std::string squeezed(const std::string& text) {
    std::string out;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with('#'))
            std::copy_if(line.begin(), line.end(), std::back_inserter(out), [](char c) { return c != ' '; });
    return out;
}

}  // namespace gpucc
