// SPDX-License-Identifier: MIT
#pragma once

#include <gpu/array_core.hpp>
#include <gpu/statistics.hpp>

#include "codegen/node.hpp"

namespace gpu::detail {

/// Variances of an array's floats.
struct MomentsRequest {
    Reduction kind = Reduction::variance;  ///< or stddev
    DType result = DType::float32;
    Axes axes = {};
    bool keepdims = false;
    int ddof = 0;
};

/// They and, if asked for, the means, by one kernel that reads the array once. The means go into an array that is
/// there, with the reduced axes as 1.
///
/// It sums up deviations from one of the elements, and their squares, in double: for n floats with any offset, the sum
/// of squares is as far off as n roundings make it.
ArrayCore launch_moments(const MomentsRequest& request, const ArrayCore& array, const ArrayCore* means);

}  // namespace gpu::detail
