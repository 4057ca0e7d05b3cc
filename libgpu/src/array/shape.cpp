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
    for (std::int64_t length : *this) {
        if (__builtin_mul_overflow(product, length, &product)) {
            throw ShapeError("shape " + to_string(*this) + " has more than 2^63 - 1 elements");
        }
    }
    return product;
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
        step *= std::max<std::int64_t>(shape[axis], 1);
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
            throw ShapeError("shapes " + to_string(a) + " and " + to_string(b) +
                             " can't be broadcast together: lengths " + std::to_string(la) + " and " + std::to_string(lb) + " differ, and neither is 1");
        }
        result.append(la == 1 ? lb : la);
    }
    return result;
}

}  // namespace gpu
