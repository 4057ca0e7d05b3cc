// SPDX-License-Identifier: MIT
// Windows on a buffer, such as transposes, broadcasts and diagonals: only offsets, shapes and strides change.
#include <gpu/array_core.hpp>

#include <algorithm>
#include <string>

#include <gpu/error.hpp>

#include "array/shape.hpp"

namespace gpu::detail {

namespace {

ArrayCore without_axes(const ArrayCore& source) {
    ArrayCore window = source;
    window.shape = {};
    window.strides = {};
    return window;
}

void add_axis(ArrayCore& window, std::int64_t length, std::int64_t stride) {
    window.shape.append(length);
    window.strides.push_back(stride);
}

void flip(ArrayCore& window, int axis) {
    if (window.shape[axis] > 1) window.offset += (window.shape[axis] - 1) * window.strides[axis];
    window.strides[axis] = -window.strides[axis];
}

}  // namespace

ArrayCore window_of(const ArrayCore& array, int axis, std::int64_t first, std::int64_t count, std::int64_t step) {
    ArrayCore window = array;
    window.shape[axis] = count;
    if (count > 0) window.offset += first * array.strides[axis];
    window.strides[axis] *= step;
    return window;
}

ArrayCore transposed(const ArrayCore& source) {
    ArrayCore window = without_axes(source);
    for (int axis = source.shape.rank(); axis-- > 0;) add_axis(window, source.shape[axis], source.strides[axis]);
    return window;
}

ArrayCore transposed(const ArrayCore& source, std::span<const int> axes) {
    if (std::ssize(axes) != source.shape.rank()) {
        throw AxisError("transpose: " + std::to_string(axes.size()) + " axes for an array of shape " +
                        to_string(source.shape) + ": each axis must be named once");
    }
    const NamedAxes named = named_axes(axes, source.shape, "transpose");
    ArrayCore window = without_axes(source);
    for (std::size_t k = 0; k < axes.size(); ++k) {
        add_axis(window, source.shape[named.order[k]], source.strides[named.order[k]]);
    }
    return window;
}

ArrayCore axes_swapped(const ArrayCore& source, int axis1, int axis2) {
    const int a = checked_axis(axis1, source.shape.rank(), source.shape, "swapaxes");
    const int b = checked_axis(axis2, source.shape.rank(), source.shape, "swapaxes");
    ArrayCore window = source;
    std::swap(window.shape[a], window.shape[b]);
    std::swap(window.strides[a], window.strides[b]);
    return window;
}

ArrayCore axes_moved(const ArrayCore& source, std::span<const int> from, std::span<const int> to) {
    if (from.size() != to.size()) {
        throw AxisError("moveaxis: " + std::to_string(from.size()) + " axes can't move to " +
                        std::to_string(to.size()) + " places");
    }
    const NamedAxes taken = named_axes(from, source.shape, "moveaxis"),
                    placed = named_axes(to, source.shape, "moveaxis");
    const int rank = source.shape.rank();
    int order[max_rank] = {};
    for (std::size_t k = 0; k < from.size(); ++k) order[placed.order[k]] = taken.order[k];
    for (int axis = 0, place = 0; axis < rank; ++axis) {
        if (taken.named[axis]) continue;
        while (placed.named[place]) ++place;
        order[place++] = axis;
    }
    return transposed(source, std::span<const int>(order, static_cast<std::size_t>(rank)));
}

ArrayCore broadcasted(const ArrayCore& source, const Shape& shape) {
    const int missing = shape.rank() - source.shape.rank();
    ArrayCore window = without_axes(source);
    for (int axis = 0; axis < shape.rank() && missing >= 0; ++axis) {
        const int own = axis - missing;
        const bool fits = own < 0 || source.shape[own] == 1 || source.shape[own] == shape[axis];
        if (!fits) break;
        add_axis(window, shape[axis], own < 0 || source.shape[own] != shape[axis] ? 0 : source.strides[own]);
    }
    if (missing < 0 || window.strides.rank() != shape.rank()) {
        throw ShapeError("an array of shape " + to_string(source.shape) + " can't be broadcast to " + to_string(shape));
    }
    return window;
}

ArrayCore diagonal(const ArrayCore& source, std::int64_t offset, int axis1, int axis2) {
    const int rank = source.shape.rank();
    if (rank < 2) throw ShapeError("diagonal: an array of shape " + to_string(source.shape) + " has fewer than 2 axes");
    const int axes[] = {axis1, axis2};
    const NamedAxes named = named_axes(axes, source.shape, "diagonal");
    const int row = named.order[0], column = named.order[1];
    offset = std::clamp(offset, -source.shape[row], source.shape[column]);
    const std::int64_t length = offset < 0 ? std::min(source.shape[row] + offset, source.shape[column])
                                           : std::min(source.shape[row], source.shape[column] - offset);
    ArrayCore window = without_axes(source);
    for (int axis = 0; axis < rank; ++axis) {
        if (axis != row && axis != column) add_axis(window, source.shape[axis], source.strides[axis]);
    }
    if (length > 0) window.offset += offset < 0 ? -offset * source.strides[row] : offset * source.strides[column];
    add_axis(window, std::max<std::int64_t>(length, 0), source.strides[row] + source.strides[column]);
    return window;
}

ArrayCore squeezed(const ArrayCore& source) {
    ArrayCore window = without_axes(source);
    for (int axis = 0; axis < source.shape.rank(); ++axis) {
        if (source.shape[axis] != 1) add_axis(window, source.shape[axis], source.strides[axis]);
    }
    return window;
}

ArrayCore squeezed(const ArrayCore& source, std::span<const int> axes) {
    const NamedAxes gone = named_axes(axes, source.shape, "squeeze");
    ArrayCore window = without_axes(source);
    for (int axis = 0; axis < source.shape.rank(); ++axis) {
        if (!gone.named[axis]) {
            add_axis(window, source.shape[axis], source.strides[axis]);
        } else if (source.shape[axis] != 1) {
            throw ShapeError("squeeze: axis " + std::to_string(axis) + " of an array of shape " +
                             to_string(source.shape) + " has length " + std::to_string(source.shape[axis]) +
                             "; only axes of length 1 can go");
        }
    }
    return window;
}

ArrayCore expanded(const ArrayCore& source, int axis) {
    const int rank = source.shape.rank(), place = checked_axis(axis, rank + 1, source.shape, "expand_dims");
    ArrayCore window = without_axes(source);
    for (int k = 0; k <= rank; ++k) {
        if (k == place) add_axis(window, 1, 0);
        if (k < rank) add_axis(window, source.shape[k], source.strides[k]);
    }
    return window;
}

ArrayCore flipped(const ArrayCore& source) {
    ArrayCore window = source;
    for (int axis = 0; axis < source.shape.rank(); ++axis) flip(window, axis);
    return window;
}

ArrayCore flipped(const ArrayCore& source, std::span<const int> axes) {
    const NamedAxes named = named_axes(axes, source.shape, "flip");
    ArrayCore window = source;
    for (std::size_t k = 0; k < axes.size(); ++k) flip(window, named.order[k]);
    return window;
}

ArrayCore rotated(const ArrayCore& source, int times, int axis1, int axis2) {
    const int axes[] = {axis1, axis2};
    const NamedAxes named = named_axes(axes, source.shape, "rot90");
    const int first = named.order[0], second = named.order[1], quarters = (times % 4 + 4) % 4;
    ArrayCore window = source;
    if (quarters == 1 || quarters == 2) flip(window, second);
    if (quarters == 2 || quarters == 3) flip(window, first);
    return quarters % 2 == 0 ? window : axes_swapped(window, first, second);
}

bool is_dense(const ArrayCore& core, Layout layout) noexcept {
    const int rank = core.shape.rank();
    if (std::find(core.shape.begin(), core.shape.end(), 0) != core.shape.end()) return true;
    std::int64_t step = 1;
    for (int k = 0; k < rank; ++k) {
        const int axis = layout == Layout::row_major ? rank - 1 - k : k;
        if (core.shape[axis] != 1 && core.strides[axis] != step) return false;
        step *= core.shape[axis];
    }
    return true;
}

}  // namespace gpu::detail
