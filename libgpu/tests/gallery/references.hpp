// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace gallery {

using Values = std::vector<double>;

/// What a kernel must give, in double. Errors are measured against `size`: of each value the sum of the absolute values
/// that were added up (the value itself unless a reference says so).
struct Expected {
    Values values, sizes;
};

/// The reference of that name, applied to arrays' first contents and to numbers, each in the order of the `check:`.
/// @throws std::runtime_error if there is none, or if it takes other arguments
[[nodiscard]] Expected reference(const std::string& name, const std::vector<Values>& arrays, const Values& numbers);

}  // namespace gallery
