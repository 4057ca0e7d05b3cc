// SPDX-License-Identifier: MIT
// What a(...) gives: NumPy's basic indexing.
#include <gpu/array_core.hpp>

#include <algorithm>
#include <string>

#include <gpu/error.hpp>

namespace gpu::detail {

namespace {

using Kind = Index::Kind;

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
    if (span <= 0) return {0, 0};
    // -(step + 1) fits where -step may not
    const std::int64_t gap = backwards ? -(index.step + 1) : index.step - 1;
    return {start, gap >= span ? 1 : (span - 1) / (gap + 1) + 1};
}

// How many axes the indices take, without the ellipsis.
int taken_axes(const Shape& shape, std::span<const Index> indices) {
    int taken = 0, ellipses = 0;
    for (const Index& index : indices) {
        taken += index.kind == Kind::slice || index.kind == Kind::single ? 1 : 0;
        ellipses += index.kind == Kind::ellipsis ? 1 : 0;
    }
    if (ellipses > 1) throw IndexError("an index can have only one gpu::ellipsis");
    if (taken > shape.rank()) {
        throw IndexError("an array of shape " + to_string(shape) + " can't take " + std::to_string(taken) + " indices");
    }
    return taken;
}

// Walks along the source's axes and builds the window.
class Slicer {
public:
    explicit Slicer(const ArrayCore& source) : source_(source), window_(source) {
        window_.shape = {};
        window_.strides = {};
    }

    void single(std::int64_t position) {
        const std::int64_t length = source_.shape[axis_];
        if (position < -length || position >= length) {
            throw IndexError("index " + std::to_string(position) + " is out of bounds for axis " +
                             std::to_string(axis_) + " with size " + std::to_string(length));
        }
        window_.offset += (position < 0 ? position + length : position) * source_.strides[axis_];
        ++axis_;
    }
    void slice(const Index& index) {
        const std::int64_t stride = source_.strides[axis_];
        const Range range = resolve(index, source_.shape[axis_]);
        if (range.count > 0) window_.offset += range.start * stride;
        add(range.count, range.count > 1 ? stride * index.step : stride);
        ++axis_;
    }
    void whole(int axes) {
        for (; axes > 0; --axes, ++axis_) add(source_.shape[axis_], source_.strides[axis_]);
    }
    void add(std::int64_t length, std::int64_t stride) {
        window_.shape.append(length);
        window_.strides.push_back(stride);
    }
    ArrayCore finish() && {
        whole(source_.shape.rank() - axis_);
        return std::move(window_);
    }

private:
    const ArrayCore& source_;
    ArrayCore window_;
    int axis_ = 0;
};

}  // namespace

ArrayCore sliced(const ArrayCore& source, std::span<const Index> indices) {
    const int left = source.shape.rank() - taken_axes(source.shape, indices);
    Slicer slicer(source);
    for (const Index& index : indices) {
        switch (index.kind) {
            case Kind::slice: slicer.slice(index); break;
            case Kind::single: slicer.single(index.start); break;
            case Kind::new_axis: slicer.add(1, 0); break;
            case Kind::ellipsis: slicer.whole(left); break;
        }
    }
    return std::move(slicer).finish();
}

}  // namespace gpu::detail
