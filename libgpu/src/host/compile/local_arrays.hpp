// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail::host {

/// The text for check mode: the local variables that begin without values, as `float t[8], sum;`, are reported to it
/// where they begin and end, so that it sees who reads them before they are written. What can't be watched stays as it
/// is.
[[nodiscard]] std::string with_watched_variables(std::string_view text, const std::vector<Token>& tokens);

}  // namespace gpu::detail::host
