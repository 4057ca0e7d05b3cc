// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include <gpu/array_core.hpp>
#include <gpu/indexable.hpp>

namespace gpu::detail {

/// The axes of an array that one index counts through, in row-major order: `count` of them from `first` on.
struct IndexedAxes {
    int first = 0, count = 1;
    IndexMode mode = IndexMode::raise;
};

/// One axis of the options, or all of them. @throws AxisError
IndexedAxes indexed_axes(const Shape& shape, const IndexOptions& options);

/// The result of an index of this shape: it takes the axes' place.
Shape gathered_shape(const Shape& array, const IndexedAxes& axes, const Shape& index);

/// The elements that a dense index array names, as a new array.
ArrayCore gather(const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index);

/// How scatter() writes.
struct Scatter {
    enum class Kind { put, add } kind = Kind::put;
    const void* count = nullptr;   ///< where a kernel has left how many values there must be, as an int64
    std::int64_t expected = 0;     ///< how many there are; if they differ, nothing is written
};

/// Writes values of the array's type, which broadcast to gathered_shape(), to the elements that a dense index names.
void scatter(const ArrayCore& array, const IndexedAxes& axes, const ArrayCore& index, const ArrayCore& values,
             const Scatter& how);

}  // namespace gpu::detail
