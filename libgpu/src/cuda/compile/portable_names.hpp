// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::cuda {

/// Definitions for names in a raw kernel's text that the host backend knows and NVRTC doesn't: `int32_t`, `INFINITY`,
/// `FLT_MAX`, `uint`, ... Empty for a text that uses none. CUDA's own C++ library defines the types itself, sometimes
/// differently.
[[nodiscard]] std::string portable_names(const std::vector<Token>& tokens);

/// `sqrt(int)`, `pow(float, double)` and the like, in double as in C++, for the functions that a learner's text names:
/// NVRTC has only float and double overloads and calls everything else ambiguous. Empty for a text that names none.
[[nodiscard]] std::string mixed_math(const std::vector<Token>& tokens);

}  // namespace gpu::detail::cuda
