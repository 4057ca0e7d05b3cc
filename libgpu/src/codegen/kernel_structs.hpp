// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// Lines for behind a source that make the compiler compare sizes and alignments with the C++ code's; "" for none.
/// Its complaints are about a file "libgpu:struct".
[[nodiscard]] std::string layout_checks(const std::vector<StructLayout>& structs);

/// `StridedView`, if a source names it: what kernels get where they ask for an array with its strides.
[[nodiscard]] std::string strided_view_text(const std::vector<Token>& tokens);

}  // namespace gpu::detail
