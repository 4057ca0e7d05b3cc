// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace gpu::detail::cuda {

/// True for a text that includes CUDA's own C++ library, which has these names, at times as another type.
[[nodiscard]] bool has_math_header(std::string_view source);

/// Definitions of those names in a raw kernel's text that NVRTC doesn't know and the host backend does: `int32_t`,
/// `INFINITY`, `FLT_MAX`, `uint`, ... Empty for a text that names none, or that includes a header which may have them.
[[nodiscard]] std::string portable_names(std::string_view source);

}  // namespace gpu::detail::cuda
