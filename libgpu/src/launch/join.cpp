// SPDX-License-Identifier: MIT
// Joining and splitting arrays; each part is one copy.
#include <gpu/join.hpp>

#include <algorithm>
#include <string>

#include <gpu/error.hpp>

#include "array/shape.hpp"
#include "codegen/node.hpp"
#include "runtime/storage.hpp"

namespace gpu::detail {

namespace {

DType common_dtype_of(const std::vector<NodePointer>& parts, const char* operation) {
    if (parts.empty()) throw ShapeError(std::string(operation) + ": there is no array");
    DType type = parts.front()->dtype;
    for (const NodePointer& part : parts) type = promote(type, part->dtype);
    return type;
}

// A window of this many positions along one axis.
ArrayCore window_at(const ArrayCore& array, int axis, std::int64_t start, std::int64_t length) {
    ArrayCore window = array;
    if (length > 0) window.offset += start * array.strides[axis];
    window.shape[axis] = length;
    return window;
}

Device device_of_parts(const std::vector<NodePointer>& parts) {
    for (const NodePointer& part : parts) {
        if (part->op == Op::leaf) return part->array.storage->device();
    }
    return Device::current();
}

std::vector<NodePointer> evaluated(std::vector<NodePointer> parts) {
    for (NodePointer& part : parts) {
        if (part->op != Op::leaf) part = leaf(evaluate(part));
    }
    return parts;
}

std::vector<NodePointer> changed(std::vector<NodePointer> parts, ArrayCore (*change)(const ArrayCore&)) {
    parts = evaluated(std::move(parts));
    for (NodePointer& part : parts) part = leaf(change(part->array));
    return parts;
}

// As three axes: those before `axis`, itself, and those after it.
ArrayCore in_three_axes(const ArrayCore& array, int axis) {
    std::int64_t before = 1, behind = 1;
    for (int k = 0; k < axis; ++k) before *= array.shape[k];
    for (int k = axis + 1; k < array.shape.rank(); ++k) behind *= array.shape[k];
    return reshaped_or_copied(array, TargetShape{before, array.shape[axis], behind}, Layout::row_major);
}

// Repeats every position of an axis, or the whole axis, `count` times.
ArrayCore repeated(const ArrayCore& array, std::int64_t count, int axis, bool each) {
    if (count < 0) throw ShapeError("repeat: a count of " + std::to_string(count));
    Shape shape = array.shape;
    if (__builtin_mul_overflow(shape[axis], count, &shape[axis])) {
        throw ShapeError("repeat: axis " + std::to_string(axis) + " would have more than 2^63 - 1 places");
    }
    const ArrayCore result = make_array_on(array.storage->device(), array.dtype, shape, Layout::row_major);
    if (shape.size() == 0) return result;
    const ArrayCore source = expanded(in_three_axes(array, axis), each ? 2 : 1);
    Shape wide = source.shape;
    wide[each ? 2 : 1] = count;
    ArrayCore target = reshaped(result, TargetShape(wide));
    assign(target, leaf(source), false);
    return result;
}

}  // namespace

ArrayCore concatenate(const std::vector<NodePointer>& parts, int axis) {
    const DType dtype = common_dtype_of(parts, "concatenate");
    Shape shape = parts.front()->shape;
    if (shape.rank() == 0) throw ShapeError("concatenate: an array of shape () has no axis; use stack");
    const int along = checked_axis(axis, shape.rank(), shape, "concatenate");
    for (std::size_t k = 1; k < parts.size(); ++k) {
        const Shape& other = parts[k]->shape;
        bool equal = other.rank() == shape.rank();
        for (int a = 0; equal && a < shape.rank(); ++a) equal = a == along || other[a] == shape[a];
        if (!equal) {
            throw ShapeError("concatenate: shapes " + to_string(parts.front()->shape) + " and " + to_string(other) +
                             " differ in another axis than " + std::to_string(along));
        }
        if (__builtin_add_overflow(shape[along], other[along], &shape[along])) {
            throw ShapeError("concatenate: more than 2^63 - 1 places along axis " + std::to_string(along));
        }
    }
    const ArrayCore result = make_array_on(device_of_parts(parts), dtype, shape, Layout::row_major);
    std::int64_t at = 0;
    for (const NodePointer& part : parts) {
        const std::int64_t length = part->shape[along];
        ArrayCore window = window_at(result, along, at, length);
        assign(window, part, false);
        at += length;
    }
    return result;
}

ArrayCore stack(const std::vector<NodePointer>& parts, int axis) {
    (void)common_dtype_of(parts, "stack");
    const Shape& shape = parts.front()->shape;
    const int place = checked_axis(axis, shape.rank() + 1, shape, "stack");
    std::vector<NodePointer> wider = evaluated(parts);
    for (NodePointer& part : wider) {
        if (!(part->shape == shape)) {
            throw ShapeError("stack: shapes " + to_string(shape) + " and " + to_string(part->shape) + " differ");
        }
        part = leaf(expanded(part->array, place));
    }
    return concatenate(wider, place);
}

ArrayCore hstack(const std::vector<NodePointer>& parts) {
    const auto at_least_one = [](const ArrayCore& array) {
        return array.shape.rank() == 0 ? expanded(array, 0) : array;
    };
    (void)common_dtype_of(parts, "hstack");
    const std::vector<NodePointer> wide = changed(parts, at_least_one);
    return concatenate(wide, wide.front()->shape.rank() == 1 ? 0 : 1);
}

ArrayCore vstack(const std::vector<NodePointer>& parts) {
    const auto as_rows = [](const ArrayCore& array) {
        ArrayCore rows = array;
        while (rows.shape.rank() < 2) rows = expanded(rows, 0);
        return rows;
    };
    return concatenate(changed(parts, as_rows), 0);
}

ArrayCore repeat(const ArrayCore& array, std::int64_t count, int axis) {
    const int along = checked_axis(axis, array.shape.rank(), array.shape, "repeat");
    return repeated(array, count, along, true);
}

ArrayCore tile(const ArrayCore& array, const Shape& counts) {
    ArrayCore result = array;
    while (result.shape.rank() < counts.rank()) result = expanded(result, 0);
    const int more = result.shape.rank() - counts.rank();
    bool copied = false;
    for (int axis = 0; axis < counts.rank(); ++axis) {
        if (counts[axis] == 1) continue;
        result = repeated(result, counts[axis], axis + more, false);
        copied = true;
    }
    return copied ? result : copy_of(result);
}

std::vector<ArrayCore> split(const ArrayCore& array, std::int64_t sections, int axis, bool uneven) {
    const char* const operation = uneven ? "array_split" : "split";
    const int along = checked_axis(axis, array.shape.rank(), array.shape, operation);
    const std::int64_t length = array.shape[along];
    if (sections <= 0 || (!uneven && length % sections != 0)) {
        throw ShapeError(std::string(operation) + ": axis " + std::to_string(along) + " of an array of shape " +
                         to_string(array.shape) + " can't be cut into " + std::to_string(sections) + " equal parts");
    }
    std::vector<ArrayCore> parts;
    for (std::int64_t k = 0, at = 0; k < sections; ++k) {
        const std::int64_t own = length / sections + (k < length % sections ? 1 : 0);
        parts.push_back(window_at(array, along, at, own));
        at += own;
    }
    return parts;
}

std::vector<ArrayCore> split_at(const ArrayCore& array, const std::vector<std::int64_t>& places, int axis) {
    const int along = checked_axis(axis, array.shape.rank(), array.shape, "split");
    const std::int64_t length = array.shape[along];
    std::vector<ArrayCore> parts;
    std::int64_t start = 0;
    // like slices: negative ones count from the end, then they are clamped
    for (std::size_t k = 0; k <= places.size(); ++k) {
        std::int64_t stop = k < places.size() ? places[k] : length;
        stop = std::clamp<std::int64_t>(stop < 0 ? stop + length : stop, 0, length);
        parts.push_back(window_at(array, along, std::min(start, stop), std::max<std::int64_t>(stop - start, 0)));
        start = stop;
    }
    return parts;
}

}  // namespace gpu::detail

namespace gpu {

#define GPU_JOIN(T)                                                                                  \
    Array<T> concatenate(std::initializer_list<detail::Part<T>> parts, const JoinOptions& options) { \
        return Array<T>(detail::concatenate(detail::nodes_of(parts), options.axis));                 \
    }                                                                                                \
    Array<T> stack(std::initializer_list<detail::Part<T>> parts, const JoinOptions& options) {       \
        return Array<T>(detail::stack(detail::nodes_of(parts), options.axis));                       \
    }                                                                                                \
    Array<T> hstack(std::initializer_list<detail::Part<T>> parts) {                                  \
        return Array<T>(detail::hstack(detail::nodes_of(parts)));                                    \
    }                                                                                                \
    Array<T> vstack(std::initializer_list<detail::Part<T>> parts) {                                  \
        return Array<T>(detail::vstack(detail::nodes_of(parts)));                                    \
    }
GPU_EACH_ELEMENT(GPU_JOIN)
#undef GPU_JOIN

}  // namespace gpu
