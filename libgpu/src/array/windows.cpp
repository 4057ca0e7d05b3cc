// SPDX-License-Identifier: MIT
// Windows on a buffer: slices, transposes, reshapes, broadcasts. Only offsets, shapes and strides change.
#include <gpu/array_core.hpp>

#include <algorithm>
#include <string>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

[[noreturn]] void throw_index(std::int64_t index, int axis, std::int64_t length) {
    throw IndexError("index " + std::to_string(index) + " is out of bounds for axis " + std::to_string(axis) +
                     " with length " + std::to_string(length));
}

// NumPy's rule for one end of a slice: negative counts from the end, then clamp.
std::int64_t clamped(std::int64_t position, std::int64_t length, bool backwards) {
    if (position < 0) position += length;
    return std::clamp<std::int64_t>(position, backwards ? -1 : 0, backwards ? length - 1 : length);
}

struct Range {
    std::int64_t start, count;
};

Range resolve(const Index& index, std::int64_t length) {
    if (index.step == 0) throw IndexError("a slice can't have the step 0");
    const bool backwards = index.step < 0;
    std::int64_t start = backwards ? length - 1 : 0, stop = backwards ? -1 : length;
    if (!index.open_start) start = clamped(index.start, length, backwards);
    if (!index.open_stop) stop = clamped(index.stop, length, backwards);
    const std::int64_t span = backwards ? start - stop : stop - start;
    const std::int64_t step = backwards ? -index.step : index.step;
    return {start, span <= 0 ? 0 : (span - 1) / step + 1};
}

}  // namespace

ArrayCore sliced(const ArrayCore& source, std::span<const Index> indices) {
    const int rank = source.shape.rank();
    if (static_cast<int>(indices.size()) > rank) {
        throw IndexError("an array of shape " + to_string(source.shape) + " can't take " +
                         std::to_string(indices.size()) + " indices");
    }
    ArrayCore window = source;
    window.shape = {};
    window.strides = {};
    for (int axis = 0; axis < rank; ++axis) {
        const std::int64_t length = source.shape[axis], stride = source.strides[axis];
        const Index index = axis < static_cast<int>(indices.size()) ? indices[static_cast<std::size_t>(axis)]
                                                                   : Index{.open_start = true, .open_stop = true};
        if (index.single) {
            if (index.start < -length || index.start >= length) throw_index(index.start, axis, length);
            window.offset += (index.start < 0 ? index.start + length : index.start) * stride;
            continue;
        }
        const Range range = resolve(index, length);
        if (range.count > 0) window.offset += range.start * stride;
        window.shape.append(range.count);
        window.strides.push_back(stride * index.step);
    }
    return window;
}

ArrayCore transposed(const ArrayCore& source) {
    ArrayCore window = source;
    const int rank = source.shape.rank();
    for (int axis = 0; axis < rank; ++axis) {
        window.shape[axis] = source.shape[rank - 1 - axis];
        window.strides[axis] = source.strides[rank - 1 - axis];
    }
    return window;
}

ArrayCore reshaped(const ArrayCore& source, const Shape& wanted) {
    ArrayCore window = source;
    if (wanted.size() != source.shape.size()) {
        throw ShapeError("reshape: an array of shape " + to_string(source.shape) + " with " +
                         std::to_string(source.shape.size()) + " elements can't become " + to_string(wanted));
    }
    window.shape = wanted;
    if (!is_dense(source, Layout::row_major)) {
        throw ShapeError("reshape: the elements of a window of shape " + to_string(source.shape) + " with strides " +
                         to_string(source.strides) + " would have to move: make a gpu::Array of it first");
    }
    window.strides = dense_strides(window.shape);
    return window;
}

ArrayCore broadcasted(const ArrayCore& source, const Shape& shape) {
    const int missing = shape.rank() - source.shape.rank();
    ArrayCore window = source;
    window.shape = shape;
    window.strides = {};
    for (int axis = 0; axis < shape.rank(); ++axis) {
        const int own = axis - missing;
        const bool fits = own < 0 || source.shape[own] == 1 || source.shape[own] == shape[axis];
        if (missing < 0 || !fits) break;
        window.strides.push_back(own < 0 || source.shape[own] != shape[axis] ? 0 : source.strides[own]);
    }
    if (missing < 0 || window.strides.rank() != shape.rank()) {
        throw ShapeError("an array of shape " + to_string(source.shape) + " can't be broadcast to " + to_string(shape));
    }
    return window;
}

bool is_dense(const ArrayCore& core, Layout layout) noexcept {
    const int rank = core.shape.rank();
    std::int64_t step = 1;
    for (int k = 0; k < rank; ++k) {
        const int axis = layout == Layout::row_major ? rank - 1 - k : k;
        if (core.shape[axis] == 0) return true;
        if (core.shape[axis] != 1 && core.strides[axis] != step) return false;
        step *= core.shape[axis];
    }
    return true;
}

}  // namespace gpu::detail
