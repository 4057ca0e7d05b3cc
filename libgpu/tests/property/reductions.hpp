// SPDX-License-Identifier: MIT
#pragma once

#include "property/reference.hpp"

/// Reductions of a list of elements, in row-major order. `type` is the elements' dtype.
namespace property {

using List = std::vector<Element>;

[[nodiscard]] gpu::DType wide(gpu::DType type);  ///< of sums: integers add up in 64 bits
[[nodiscard]] Element sum_of(gpu::DType type, const List& values);
[[nodiscard]] Element product_of(gpu::DType type, const List& values);
[[nodiscard]] Element smallest_of(gpu::DType type, const List& values);
[[nodiscard]] Element largest_of(gpu::DType type, const List& values);
[[nodiscard]] Element place_of_smallest(gpu::DType type, const List& values);
[[nodiscard]] Element place_of_largest(gpu::DType type, const List& values);
[[nodiscard]] Element any_of(gpu::DType type, const List& values);
[[nodiscard]] Element all_of(gpu::DType type, const List& values);
[[nodiscard]] Element count_of(gpu::DType type, const List& values);
[[nodiscard]] Element mean_of(gpu::DType type, const List& values);
template <int ddof>
[[nodiscard]] Element variance_of(gpu::DType type, const List& values);
[[nodiscard]] Element deviation_of(gpu::DType type, const List& values);
[[nodiscard]] Element norm_of(gpu::DType type, const List& values);

}  // namespace property
