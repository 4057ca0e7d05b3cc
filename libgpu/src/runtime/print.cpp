// SPDX-License-Identifier: MIT
#include <gpu/print.hpp>

#include <vector>

#include "array/print_text.hpp"
#include "runtime/array_buffers.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

// An axis becomes two: its ends, and the places in each.
void split_ends(ArrayCore& array, int axis, std::int64_t edge) {
    const std::int64_t length = array.shape[axis], stride = array.strides[axis];
    array.shape.append(1);
    array.strides.push_back(0);
    for (int k = array.shape.rank() - 1; k > axis + 1; --k) {
        array.shape[k] = array.shape[k - 1];
        array.strides[k] = array.strides[k - 1];
    }
    array.shape[axis] = 2;
    array.strides[axis] = (length - edge) * stride;
    array.shape[axis + 1] = edge;
    array.strides[axis + 1] = stride;
}

ArrayCore end_of(const ArrayCore& array, int axis, std::int64_t edge, bool second) {
    ArrayCore window = array;
    if (second) window.offset += (array.shape[axis] - edge) * array.strides[axis];
    window.shape[axis] = edge;
    return window;
}

// Both ends of all long axes in one kernel, where there are enough axes to say so.
void copy_ends(ArrayCore source, ArrayCore target) {
    for (int axis = 0; axis < source.shape.rank(); ++axis) {
        if (source.shape[axis] == target.shape[axis]) continue;
        const std::int64_t edge = target.shape[axis] / 2;
        if (source.shape.rank() == max_rank) {
            for (const bool second : {false, true}) {
                copy_ends(end_of(source, axis, edge, second), end_of(target, axis, edge, second));
            }
            return;
        }
        split_ends(source, axis, edge);
        split_ends(target, axis, edge);
        ++axis;
    }
    assign(target, leaf(source), false);
}

}  // namespace

std::string text_of(const ArrayCore& array, const PrintOptions& options) {
    const Shape shown = shown_shape(array.shape, options);
    std::vector<std::byte> elements(bytes_of(shown, array.dtype));
    if (shown == array.shape) {
        copy_to_host(array, elements.data(), shown.size());
    } else if (array.shape.rank() == 1) {  // two small copies, without a kernel where the elements lie side by side
        const std::int64_t edge = shown[0] / 2;
        copy_to_host(end_of(array, 0, edge, false), elements.data(), edge);
        copy_to_host(end_of(array, 0, edge, true), elements.data() + elements.size() / 2, edge);
    } else {
        const ArrayCore ends = make_array_on(array.storage->device(), array.dtype, shown, Layout::row_major);
        copy_ends(array, ends);
        copy_to_host(ends, elements.data(), shown.size());
    }
    return print_text(array.dtype, array.shape, elements.data(), options);
}

}  // namespace gpu::detail
