// SPDX-License-Identifier: MIT
#include <gpu/shape.hpp>

#include <algorithm>

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
        // Only an array without elements can have lengths whose product doesn't fit: its strides are never used.
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
