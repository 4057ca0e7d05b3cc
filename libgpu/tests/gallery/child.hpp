// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace gallery {

struct ChildResult {
    bool ended_well = false;  ///< exit code 0
    std::string ending;       ///< "exit code 1", "signal 11"
    std::string output;       ///< stdout and stderr
};

/// Runs this program again with other arguments, and waits.
[[nodiscard]] ChildResult run_self(const std::vector<std::string>& arguments);

}  // namespace gallery
