// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_tokens.hpp"
#include "host/check/raw_finding.hpp"

namespace gpu::detail::host {

/// Advises on an access past the end of a global array by the tests in the kernel's text that it passed: a guard that
/// is there isn't to be put there. `first_line` is the number of the text's first.
void add_guard_clue(RawFinding& outside, const std::vector<Token>& tokens, int first_line, const std::string& kernel);

}  // namespace gpu::detail::host
