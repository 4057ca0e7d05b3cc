// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "gpucc/driver/options.hpp"

namespace gpucc {

/// What -MD and its like ask of the preprocessor for this file; empty: nothing.
[[nodiscard]] std::vector<std::string> dependency_options(const Options& options, const std::string& input);

}  // namespace gpucc
