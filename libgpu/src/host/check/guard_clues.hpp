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

/// Says which element of which array an address is that belongs to none, where the line names one array alone, and
/// whether the index looks like an int that ran over.
void add_far_clue(RawFinding& outside, const std::vector<Token>& tokens, int first_line);

}  // namespace gpu::detail::host
