// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <gpu/reduction_call.hpp>

namespace gpu::detail {

/// Which axes are reduced, and the result's shape. @throws AxisError
struct ReducedShape {
    std::vector<bool> reduced;
    Shape kept;              ///< without the reduced axes: what the kernel writes
    Shape result;            ///< what the caller gets: the same, or with ones for keepdims
    std::int64_t count = 1;  ///< elements that make one result
};
ReducedShape reduced_shape(const Shape& shape, const ReduceOptions& options);
/// A dense array of the kept axes, as the caller gets it.
ArrayCore with_result_shape(ArrayCore kept, const ReducedShape& shapes);

/// The array that is to be filled, without the axes that are reduced.
ArrayCore kept_axes(const ArrayCore& out, const ReducedShape& shapes, bool keepdims);

}  // namespace gpu::detail
