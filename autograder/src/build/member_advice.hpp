// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "build/compile_advice.hpp"

namespace course {

inline constexpr std::string_view vectors_calculate_not =
    "a std::vector doesn't calculate: loop over its elements, or copy it to the device, gpu::to_device(h)";
inline constexpr std::string_view type_at_run_time =
    "a kernel's result has its type at run time only: write gpu::Array<float> y = kernel(x), then y.item()";

/// What to write for a member that an array, a std::vector or a kernel's result doesn't have; empty: not known.
[[nodiscard]] std::string of_member(const CompileError& error);

}  // namespace course
