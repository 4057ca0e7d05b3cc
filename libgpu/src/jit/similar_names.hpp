// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace gpu::detail {

/// The name that was probably meant, out of those that the code declares and CUDA's own; empty if none is near.
[[nodiscard]] std::string similar_name(const std::string& name, const std::string& code);

/// True if two different names differ by what one mistypes: case, underscores at the ends, a letter or two.
[[nodiscard]] bool are_similar(const std::string& name, const std::string& other);

}  // namespace gpu::detail
