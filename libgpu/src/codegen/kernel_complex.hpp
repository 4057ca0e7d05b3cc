// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// `complex<float>` and `complex<double>` for kernels, in CUDA C++ that every backend's compiler takes.
[[nodiscard]] const std::string& kernel_complex();
/// Its two parts: the numbers with their operators, and the functions that take care of every digit.
extern const std::string_view kernel_complex_numbers, kernel_complex_inverse;

/// True if a kernel's text names `complex<...>`, or includes one of complex_headers, and doesn't define it itself.
[[nodiscard]] bool names_complex(const std::vector<Token>& tokens);

}  // namespace gpu::detail
