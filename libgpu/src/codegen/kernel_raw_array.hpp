// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "codegen/kernel_text.hpp"

namespace gpu::detail {

/// What a raw parameter is in a kernel: `y[j]` counts in row-major order whatever the layout, `y[{i, j}]` by axes. In
/// CUDA C++ that every backend's compiler takes.
extern const std::string_view kernel_raw_array;

[[nodiscard]] bool has_raw(const std::vector<Parameter>& parameters);
[[nodiscard]] bool has_raw_output(const std::vector<Parameter>& parameters);

/// "gpu_raw_array<const float, 2, true>": the type of a raw parameter's object.
[[nodiscard]] std::string raw_array_type(const Parameter& parameter);

}  // namespace gpu::detail
