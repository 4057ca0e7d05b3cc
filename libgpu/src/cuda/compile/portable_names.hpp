// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::cuda {

/// True for a text that includes CUDA's own C++ library, which has these names, at times as another type.
[[nodiscard]] bool has_math_header(const std::vector<Token>& tokens);

/// Definitions of those names in a raw kernel's text that NVRTC doesn't know and the host backend does: `int32_t`,
/// `INFINITY`, `FLT_MAX`, `uint`, ... Empty for a text that names none, or that includes a header which may have them.
[[nodiscard]] std::string portable_names(const std::vector<Token>& tokens);

}  // namespace gpu::detail::cuda
