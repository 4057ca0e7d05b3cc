// SPDX-License-Identifier: MIT
#include "launch/reduced_shape.hpp"

#include <cstdint>
#include <limits>

#include <gpu/error.hpp>

namespace gpu {

void Axes::add(int axis) {
    if (count_ == max_rank) throw AxisError("a reduction takes at most " + std::to_string(max_rank) + " axes");
    axes_[count_++] = axis;
}

namespace detail {

ReducedShape reduced_shape(const Shape& shape, const ReduceOptions& options) {
    const int rank = shape.rank();
    ReducedShape made;
    made.reduced.assign(static_cast<std::size_t>(rank), options.axis.all());
    for (int k = 0; k < options.axis.count(); ++k) {
        const int axis = options.axis[k] < 0 ? options.axis[k] + rank : options.axis[k];
        if (axis < 0 || axis >= rank) {
            throw AxisError("axis " + std::to_string(options.axis[k]) + " is out of bounds for array of dimension " +
                            std::to_string(rank) + " (its shape is " + to_string(shape) + ")");
        }
        if (made.reduced[static_cast<std::size_t>(axis)]) {
            throw AxisError("duplicate value in 'axis': " + std::to_string(options.axis[k]) +
                            " names an axis again (the array's shape is " + to_string(shape) + ")");
        }
        made.reduced[static_cast<std::size_t>(axis)] = true;
    }
    for (int axis = 0; axis < rank; ++axis) {
        const bool gone = made.reduced[static_cast<std::size_t>(axis)];
        if (gone) {
            // Only an array without elements can have lengths whose product doesn't fit.
            if (__builtin_mul_overflow(made.count, shape[axis], &made.count)) {
                made.count = std::numeric_limits<std::int64_t>::max();
            }
        } else {
            made.kept.append(shape[axis]);
        }
        if (!gone || options.keepdims) made.result.append(gone ? 1 : shape[axis]);
    }
    return made;
}

ArrayCore with_result_shape(ArrayCore kept, const ReducedShape& shapes) {
    kept.shape = shapes.result;
    kept.strides = dense_strides(shapes.result);
    return kept;
}

ArrayCore kept_axes(const ArrayCore& out, const ReducedShape& shapes, bool keepdims) {
    if (!keepdims) return out;
    ArrayCore kept = out;
    kept.shape = shapes.kept;
    kept.strides = {};
    for (int axis = 0; axis < out.shape.rank(); ++axis) {
        if (!shapes.reduced[static_cast<std::size_t>(axis)]) kept.strides.push_back(out.strides[axis]);
    }
    return kept;
}

}  // namespace detail
}  // namespace gpu
