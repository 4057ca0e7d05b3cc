// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gpucc/split/preprocessed_text.hpp"

namespace gpucc {

/// True for a lambda's `__device__`, with or without `__host__`.
[[nodiscard]] bool marks_lambda(const std::vector<gpu::detail::Token>& tokens, std::size_t k);

/// Device code can't name a lambda's type: each lambda with `__device__` in a function becomes a struct before that
/// function, with what it captures by value as members, "gpucc_lambda_<unit>_0". Those that capture otherwise, or that
/// stand in a class, stay; host_text() refuses them. Files that include Thrust's headers keep theirs, since its
/// algorithms run on the host.
[[nodiscard]] std::string with_named_lambdas(std::string text, const std::string& unit);

}  // namespace gpucc
