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

}  // namespace gpu::detail::cuda
