// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::cuda {

/// Definitions of those names in a raw kernel's text that NVRTC doesn't know and the host backend does: `int32_t`,
/// `INFINITY`, `FLT_MAX`, `uint`, ... Empty for a text that names none. CUDA's
/// own C++ library has the types itself, at times other ones.
[[nodiscard]] std::string portable_names(const std::vector<Token>& tokens);

/// `sqrt(int)`, `pow(float, double)` and the like, in double as C++ has them, for those functions that a learner's text
/// names: NVRTC knows floats and doubles alone and calls all else ambiguous. Empty for a text that names none.
[[nodiscard]] std::string mixed_math(const std::vector<Token>& tokens);

}  // namespace gpu::detail::cuda
