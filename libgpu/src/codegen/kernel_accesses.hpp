// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"
#include "codegen/kernel_tokens.hpp"

namespace gpu::detail {

/// Lines for behind a source that make the compiler compare sizes and alignments with the C++ code's; "" for none.
/// Its complaints are about a file "libgpu:struct".
[[nodiscard]] std::string layout_checks(const std::vector<StructLayout>& structs);

/// `StridedView`, if a source names it: what kernels get where they ask for an array with its strides.
[[nodiscard]] std::string strided_view_text(const std::vector<Token>& tokens);

// Where and how the text of a generated kernel uses its elements: for check mode, which counts them.

/// The line of a snippet's file where it first names something; its first line if it doesn't.
[[nodiscard]] int line_naming(const Snippet& snippet, std::string_view name);

/// True if a body certainly assigns an output before it could read it or return, and takes no address of it: then it
/// can work on a local variable that is stored once. False if that can't be told, or if another parameter is a whole
/// array, in which the body could see the element change.
[[nodiscard]] bool assigns_first(const ElementwiseText& text, std::string_view output);

}  // namespace gpu::detail
