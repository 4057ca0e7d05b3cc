// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernel_file.hpp"

namespace gallery {

/// Right things that any kernel may do besides its work, and that a checker may take for mistakes.
[[nodiscard]] std::span<const std::string_view> variant_names();

/// The same kernels, which do one of these first: "padding", "volatile", "atomics", "template", "600 bytes"; or "all"
/// of them. Without its counts, which are others now. @throws FormatError for a text that it can't be put into.
[[nodiscard]] KernelFile variant_of(const KernelFile& file, std::string_view name);

}  // namespace gallery
