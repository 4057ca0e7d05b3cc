// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/array_core.hpp>
#include <gpu/statistics.hpp>

#include "codegen/node.hpp"

namespace gpu::detail {

/// Means and variances of floats over axes that are to be kept as 1.
struct MomentsRequest {
    Reduction kind = Reduction::variance;  ///< or stddev
    DType result = DType::float32;         ///< of the variances
    Axes axes = {};
    int ddof = 0;
};

/// Both by one kernel, which reads the array once; the means go into an array that is there.
///
/// It sums up deviations from one of the elements, and their squares, in double: for n floats with any offset, the sum
/// of squares is as far off as n roundings make it.
ArrayCore launch_moments(const MomentsRequest& request, const ArrayCore& array, const ArrayCore& means);

}  // namespace gpu::detail
