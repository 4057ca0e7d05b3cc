// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "codegen/kernel_text.hpp"

// Where and how the text of a generated kernel uses its elements: for check mode, which counts them.
namespace gpu::detail {

/// The line of a snippet's file where it first names something; its first line if it doesn't.
[[nodiscard]] int line_naming(const Snippet& snippet, std::string_view name);

/// True if a body certainly assigns an output before it could read it or return, and takes no address of it: then it
/// can work on a local variable that is stored once. False if that can't be told, or if another parameter is a whole
/// array, in which the body could see the element change.
[[nodiscard]] bool assigns_first(const ElementwiseText& text, std::string_view output);

}  // namespace gpu::detail
