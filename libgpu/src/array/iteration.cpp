// SPDX-License-Identifier: MIT
#include "array/iteration.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>

namespace gpu::detail {

namespace {

// Only arrays without elements can overflow the product; merging their axes gains nothing.
bool can_merge(const Iteration& iteration, int outer, int inner) {
    return std::all_of(iteration.strides.begin(), iteration.strides.end(), [&](const Strides& strides) {
        std::int64_t step = 0;
        return !__builtin_mul_overflow(strides[inner], iteration.shape[inner], &step) && strides[outer] == step;
    });
}

}  // namespace

Iteration with_axes(const Iteration& from, const std::vector<int>& axes) {
    Iteration picked;
    picked.strides.resize(from.strides.size());
    for (int axis : axes) {
        picked.shape.append(from.shape[axis]);
        for (std::size_t k = 0; k < from.strides.size(); ++k) picked.strides[k].push_back(from.strides[k][axis]);
    }
    return picked;
}

Strides broadcast_strides(const ArrayCore& array, const Shape& shape) { return broadcasted(array, shape).strides; }

bool broadcasts_to(const Shape& from, const Shape& to) noexcept {
    const int missing = to.rank() - from.rank();
    if (missing < 0) return false;
    for (int axis = 0; axis < from.rank(); ++axis) {
        if (from[axis] != 1 && from[axis] != to[axis + missing]) return false;
    }
    return true;
}

Iteration collapsed(Iteration iteration, bool reorder) {
    std::vector<int> axes;
    for (int axis = 0; axis < iteration.shape.rank(); ++axis) {
        if (iteration.shape[axis] != 1) axes.push_back(axis);
    }
    if (reorder && !iteration.strides.empty()) {
        const Strides& first = iteration.strides.front();
        std::stable_sort(axes.begin(), axes.end(),
                         [&](int a, int b) { return std::abs(first[a]) > std::abs(first[b]); });
    }
    iteration = with_axes(iteration, axes);

    Iteration merged = iteration;
    merged.shape = {};
    for (auto& strides : merged.strides) strides = {};
    for (int axis = 0; axis < iteration.shape.rank(); ++axis) {
        const int last = merged.shape.rank() - 1;
        std::int64_t length = 0;
        if (last >= 0 && can_merge(iteration, axis - 1, axis) &&
            !__builtin_mul_overflow(merged.shape[last], iteration.shape[axis], &length)) {
            merged.shape[last] = length;
            for (std::size_t k = 0; k < merged.strides.size(); ++k) {
                merged.strides[k][last] = iteration.strides[k][axis];
            }
        } else {
            merged.shape.append(iteration.shape[axis]);
            for (std::size_t k = 0; k < merged.strides.size(); ++k) {
                merged.strides[k].push_back(iteration.strides[k][axis]);
            }
        }
    }
    if (merged.shape.rank() == 0) {  // one element: kernels loop over at least one axis
        merged.shape.append(1);
        for (auto& strides : merged.strides) strides.push_back(1);
    }
    return merged;
}

ByteRange byte_range(const ArrayCore& array) {
    std::int64_t low = array.offset, high = array.offset;
    for (int axis = 0; axis < array.shape.rank(); ++axis) {
        if (array.shape[axis] == 0) return {0, 0};
        const std::int64_t reach = (array.shape[axis] - 1) * array.strides[axis];
        (reach < 0 ? low : high) += reach;
    }
    const auto size = static_cast<std::int64_t>(size_of(array.dtype));
    return {low * size, (high + 1) * size};
}

}  // namespace gpu::detail
