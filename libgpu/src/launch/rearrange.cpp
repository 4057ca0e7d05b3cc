// SPDX-License-Identifier: MIT
#include <gpu/rearrange.hpp>

#include <algorithm>
#include <string>

#include <gpu/error.hpp>

#include "array/axis.hpp"
#include "codegen/node.hpp"
#include "launch/builtin_kernel.hpp"
#include "launch/evaluate.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// `count` places of one axis from `first` on.
ArrayCore window_of(const ArrayCore& array, int axis, std::int64_t first, std::int64_t count) {
    ArrayCore window = array;
    window.shape[axis] = count;
    if (count > 0) window.offset += first * array.strides[axis];
    return window;
}

}  // namespace

ArrayCore roll(const NodePointer& value, std::int64_t shift, OptionalAxis axis) {
    ArrayCore source = array_value(value);
    const Shape shape = source.shape;
    const DeviceGuard guard(source.storage->device());
    int along = 0;
    if (axis.given())
        along = checked_axis(axis.value(), shape.rank(), shape, "roll");
    else
        source = reshaped_or_copied(source, TargetShape{-1}, Layout::row_major);
    const ArrayCore result = make_array(source.dtype, source.shape);
    if (source.shape.size() == 0) return reshaped(result, shape);
    const std::int64_t n = source.shape[along], start = (shift % n + n) % n;
    // The elements in front of the break, and those behind it.
    const std::int64_t firsts[] = {0, n - start}, places[] = {start, 0}, counts[] = {n - start, start};
    for (int part = 0; part < 2; ++part) {
        if (counts[part] == 0) continue;
        ArrayCore target = window_of(result, along, places[part], counts[part]);
        assign(target, leaf(window_of(source, along, firsts[part], counts[part])), false);
    }
    return reshaped(result, shape);
}

ArrayCore diff(const NodePointer& value, std::int64_t n, int axis) {
    const int along = checked_axis(axis, value->shape.rank(), value->shape, "diff");
    if (n < 0) throw ShapeError("diff: n is " + std::to_string(n) + ": differences are taken 0 times or more");
    const DType type = value->dtype;
    ArrayCore array = array_value(value);
    if (n == 0) return copy_of(array, Layout::row_major);
    for (std::int64_t k = 0; k < n && (k == 0 || array.shape[along] > 0); ++k) {
        const std::int64_t count = std::max<std::int64_t>(array.shape[along] - 1, 0);
        const NodePointer later = leaf(window_of(array, along, 1, count)),
                          earlier = leaf(window_of(array, along, 0, count));
        array = evaluate(node(type == DType::boolean ? Op::not_equal : Op::subtract, type, type, later, earlier));
    }
    return array;
}

}  // namespace gpu::detail
