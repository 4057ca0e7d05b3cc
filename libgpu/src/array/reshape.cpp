// SPDX-License-Identifier: MIT
// The same elements in another shape, without moving them where strides can say it.
#include "array/reshape.hpp"

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

Shape reversed(const Shape& shape) {
    Shape result;
    for (int axis = shape.rank(); axis-- > 0;) result.append(shape[axis]);
    return result;
}

// Old and new axes are taken from the last on in groups with the same number of elements: within a group, the old axes
// must be walked through in one stride, which the new axes then cut up as they like. Neither shape has a length 0.
std::optional<Strides> strides_in(const ArrayCore& source, const Shape& wanted) {
    Strides strides = dense_strides(wanted);
    int old_axis = source.shape.rank() - 1, new_axis = wanted.rank() - 1;
    while (new_axis >= 0) {
        if (wanted[new_axis] == 1) {
            --new_axis;
            continue;
        }
        while (source.shape[old_axis] == 1) --old_axis;
        const std::int64_t stride = source.strides[old_axis];
        std::int64_t in_old = source.shape[old_axis--], in_new = 1;
        for (;;) {
            while (new_axis >= 0 && in_new < in_old) {
                strides[new_axis] = stride * in_new;
                in_new *= wanted[new_axis--];
            }
            if (in_new == in_old) break;
            while (source.shape[old_axis] == 1) --old_axis;
            if (source.strides[old_axis] != stride * in_old) return std::nullopt;
            in_old *= source.shape[old_axis--];
        }
    }
    return strides;
}

}  // namespace

std::optional<ArrayCore> reshaped_in_place(const ArrayCore& source, const Shape& wanted, Layout order) {
    if (order == Layout::column_major) {
        const auto window = reshaped_in_place(transposed(source), reversed(wanted), Layout::row_major);
        return window ? std::optional(transposed(*window)) : std::nullopt;
    }
    ArrayCore window = source;
    window.shape = wanted;
    window.strides = dense_strides(wanted);
    if (wanted.size() == 0) return window;
    const auto strides = strides_in(source, wanted);
    if (!strides) return std::nullopt;
    window.strides = *strides;
    return window;
}

ArrayCore reshaped(const ArrayCore& source, const TargetShape& shape, Layout order) {
    const Shape wanted = shape.resolved(source.shape);
    if (auto window = reshaped_in_place(source, wanted, order)) return *std::move(window);
    throw ShapeError(
        "reshape: the elements of a window of shape " + to_string(source.shape) + " with strides " +
        to_string(source.strides) + " would have to move to become " + to_string(wanted) + ": write x.copy(" +
        (order == Layout::row_major ? "gpu::Layout::row_major" : "gpu::Layout::column_major") + ").reshape(...)");
}

}  // namespace gpu::detail
