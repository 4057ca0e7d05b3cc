// SPDX-License-Identifier: MIT
#include "array/shape.hpp"

#include <gpu/shape.hpp>

#include <algorithm>
#include <string>

#include <gpu/array_core.hpp>
#include <gpu/error.hpp>

namespace gpu {

void Extents::push_back(std::int64_t value) {
    if (rank_ == max_rank) throw ShapeError("an array has at most " + std::to_string(max_rank) + " axes");
    values_[rank_++] = value;
}

bool operator==(const Extents& a, const Extents& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

void Shape::append(std::int64_t length) {
    if (length < 0) throw ShapeError("a shape can't have the negative length " + std::to_string(length));
    push_back(length);
}

std::int64_t Shape::size() const {
    std::int64_t product = 1;
    if (std::find(begin(), end(), 0) != end()) return 0;
    for (std::int64_t length : *this) {
        if (__builtin_mul_overflow(product, length, &product)) {
            throw ShapeError("shape " + to_string(*this) + " has more than 2^63 - 1 elements");
        }
    }
    return product;
}

Shape TargetShape::resolved(const Shape& source) const {
    const std::int64_t size = source.size();
    Shape known, result;
    int open = -1;
    for (int axis = 0; axis < rank(); ++axis) {
        if (values_[axis] == -1 && open >= 0) throw ShapeError("reshape: only one length can be -1");
        if (values_[axis] == -1) open = axis;
        else known.append(values_[axis]);
    }
    const std::int64_t rest = known.size();
    const bool fits = open < 0 ? rest == size : rest != 0 && size % rest == 0;
    if (!fits) {
        throw ShapeError("reshape: an array of shape " + to_string(source) + " with " + std::to_string(size) +
                         " elements can't become " + to_string(*this));
    }
    for (int axis = 0; axis < rank(); ++axis) result.append(axis == open ? size / rest : values_[axis]);
    return result;
}

std::string to_string(const Extents& extents) {
    std::string text = "(";
    for (int axis = 0; axis < extents.rank(); ++axis) {
        if (axis > 0) text += ',';
        text += std::to_string(extents[axis]);
    }
    return text + (extents.rank() == 1 ? ",)" : ")");
}

Strides dense_strides(const Shape& shape, Layout layout) {
    Strides strides;
    for (int axis = 0; axis < shape.rank(); ++axis) strides.push_back(0);
    std::int64_t step = 1;
    for (int k = 0; k < shape.rank(); ++k) {
        const int axis = layout == Layout::row_major ? shape.rank() - 1 - k : k;
        strides[axis] = step;
        // Only an array without elements can overflow this product; its strides are never used.
        std::int64_t next = 0;
        if (!__builtin_mul_overflow(step, std::max<std::int64_t>(shape[axis], 1), &next)) step = next;
    }
    return strides;
}

Shape broadcast(const Shape& a, const Shape& b) {
    const int rank = std::max(a.rank(), b.rank());
    Shape result;
    for (int axis = 0; axis < rank; ++axis) {
        const int in_a = axis - (rank - a.rank()), in_b = axis - (rank - b.rank());
        const std::int64_t la = in_a < 0 ? 1 : a[in_a], lb = in_b < 0 ? 1 : b[in_b];
        if (la != lb && la != 1 && lb != 1) {
            throw ShapeError("operands could not be broadcast together with shapes " + to_string(a) + " " +
                             to_string(b));
        }
        result.append(la == 1 ? lb : la);
    }
    return result;
}

}  // namespace gpu

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

// Reshaping without a copy, where strides can express it.

namespace {

Shape reversed(const Shape& shape) {
    Shape result;
    for (int axis = shape.rank(); axis-- > 0;) result.append(shape[axis]);
    return result;
}

// Matches old and new axes from the last one on, in groups with equally many elements: within a group, the old axes
// must form a single stride, which the new axes then divide up. Neither shape has a length of 0.
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

// What a(...) returns: NumPy's basic indexing.

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
    // -step may overflow, -(step + 1) can't
    const std::int64_t gap = backwards ? -(index.step + 1) : index.step - 1;
    return {start, gap >= span ? 1 : (span - 1) / (gap + 1) + 1};
}

// The number of axes that the indices consume, the ellipsis aside.
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
