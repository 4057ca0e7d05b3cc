// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// The functions of libgpu's own (`gpu_minimum`, `gpu_cast`, ...) that a kernel's text calls, and those that these
/// call, in CUDA C++ for every backend; "" for none. NaN, zero and overflow do on each what they do on the other.
[[nodiscard]] std::string functions_named_in(const std::vector<Token>& tokens);

}  // namespace gpu::detail
