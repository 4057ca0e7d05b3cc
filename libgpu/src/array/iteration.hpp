// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <gpu/array_core.hpp>

namespace gpu::detail {

/// An index space and how each array walks through it: what a kernel needs of shapes and strides.
struct Iteration {
    Shape shape;
    std::vector<Strides> strides;  ///< one per array, each of the shape's rank; 0 along broadcast axes

    /// True if this array's elements are visited in memory order, one after the other.
    [[nodiscard]] bool is_linear(std::size_t array) const noexcept {
        return shape.rank() == 0 || (shape.rank() == 1 && (strides[array][0] == 1 || shape[0] == 1));
    }
};

/// The strides of an array seen in a larger shape. @throws ShapeError if it can't be broadcast.
Strides broadcast_strides(const ArrayCore& array, const Shape& shape);

/// True if an array of one shape can be seen in the other.
bool broadcasts_to(const Shape& from, const Shape& to) noexcept;

/// The iteration restricted to these axes, in this order.
Iteration with_axes(const Iteration& from, const std::vector<int>& axes);

/// The same iteration with as few axes as possible: axes of length 1 are dropped, and adjacent axes that every array
/// crosses with a single stride are merged. With `reorder`, axes are first sorted by the first array's strides, largest
/// first; index i then no longer counts in row-major order.
Iteration collapsed(Iteration iteration, bool reorder);

/// The first and the last byte (exclusive) that a window touches, from its buffer's start.
struct ByteRange {
    std::int64_t first, last;
};
ByteRange byte_range(const ArrayCore& array);

}  // namespace gpu::detail
