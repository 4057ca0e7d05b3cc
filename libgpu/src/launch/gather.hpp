// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/array_core.hpp>
#include <gpu/indexable.hpp>

namespace gpu::detail {

/// The axes of an array that one index covers, in row-major order: `count` of them from `first` on.
struct IndexedAxes {
    int first = 0, count = 1;
    IndexMode mode = IndexMode::raise;
};

/// One axis of the options, or all of them. @throws AxisError
IndexedAxes indexed_axes(const Shape& shape, const IndexOptions& options);

/// The shape of the result for an index of this shape, which replaces the axes.
Shape gathered_shape(const Shape& array, const IndexedAxes& axes, const Shape& index);

/// The elements at a dense index array's positions, as a new array.
ArrayCore gather(const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index);

/// The options of scatter().
struct Scatter {
    enum class Kind { put, add } kind = Kind::put;
    const char* function = "x[mask] = values";  ///< in messages
    const void* count = nullptr;  ///< the address of a kernel's int64 result: the required number of values
    std::int64_t expected = 0;    ///< the actual number; if they differ, nothing is written
};

/// Writes values of the array's type, which broadcast to gathered_shape(), to a dense index array's positions.
void scatter(const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index, const ArrayCore& values,
             const Scatter& how);

}  // namespace gpu::detail
