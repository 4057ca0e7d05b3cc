// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// All of a kernel's text in one piece: what it names decides which of libgpu's types and functions it gets.
[[nodiscard]] std::string all_text(const ElementwiseText& text);
[[nodiscard]] std::string all_text(const ReductionText& text);

/// True if a kernel's text names the type `half` and doesn't get it elsewhere. A word in a comment counts too.
[[nodiscard]] bool names_half(std::string_view text);

/// libgpu's own device types and functions that a generated kernel's text names, in CUDA C++ for every backend; but for
/// complex numbers, see kernel_complex.
[[nodiscard]] std::string kernel_support(std::string_view text);

}  // namespace gpu::detail
