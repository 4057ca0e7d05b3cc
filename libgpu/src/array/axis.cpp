// SPDX-License-Identifier: MIT
#include "array/axis.hpp"

#include <string>

#include <gpu/error.hpp>

namespace gpu::detail {

int checked_axis(int axis, int rank, const Shape& shape, const char* operation) {
    if (axis < -rank || axis >= rank) {
        throw AxisError(std::string(operation) + ": axis " + std::to_string(axis) +
                        " is out of bounds for an array of dimension " + std::to_string(rank) + ", shape " +
                        to_string(shape));
    }
    return axis < 0 ? axis + rank : axis;
}

NamedAxes named_axes(std::span<const int> axes, const Shape& shape, const char* operation) {
    NamedAxes result;
    int count = 0;
    for (const int given : axes) {
        const int axis = checked_axis(given, shape.rank(), shape, operation);
        if (result.named[axis]) {
            throw AxisError(std::string(operation) + ": axis " + std::to_string(given) + " is named twice");
        }
        result.named[axis] = true;
        result.order[count++] = axis;
    }
    return result;
}

}  // namespace gpu::detail
