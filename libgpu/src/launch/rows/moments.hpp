// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/array_core.hpp>
#include <gpu/statistics.hpp>

#include "codegen/node.hpp"

namespace gpu::detail {

/// Variances of an array's floats, or standard deviations, and, unless that is null, the means, by one kernel that
/// reads the array once. They go into arrays that are there, with the reduced axes as 1.
///
/// It sums up deviations from one of the elements, and their squares, in double: for n floats with any offset, the sum
/// of squares is as far off as n roundings make it.
void launch_moments(Reduction kind, const VarianceOptions& options, const ArrayCore& array, const ArrayCore* means,
                    const ArrayCore& variances);

}  // namespace gpu::detail
