// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "codegen/kernel_tokens.hpp"
#include "host/compile/refusals.hpp"

namespace gpu::detail::host {

/// Adds the functions that a text defines, and its variables outside functions, which aren't the device's: NVRTC takes
/// no text that has one, whether a kernel uses it or not. What a macro may annotate isn't one, nor is
/// what stands behind #if.
void add_missing_annotations(const std::vector<Token>& tokens, Refusals& refusals);

}  // namespace gpu::detail::host
