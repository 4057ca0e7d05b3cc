// SPDX-License-Identifier: MIT
#include "linalg/non_finite.hpp"

#include <limits>

#include <gpu/diagonals.hpp>

namespace gpu::detail {

namespace {

// Each matrix' number, beside results of this rank.
NodePointer along(ArrayCore each, int rank) {
    while (each.shape.rank() < rank) each = expanded(each, each.shape.rank());
    return leaf(each);
}

NodePointer nan_of(DType type) {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    return is_complex(type) ? scalar_node(type, nan, nan) : scalar_node(type, nan);
}

}  // namespace

NonFinite::NonFinite(const MatrixStack& matrices) : finite_(matrices.finite_ones()) {
    if (!finite_) return;
    ArrayCore window = matrices.matrices();
    const NodePointer identity = leaf(eye(window.dtype, matrices.rows(), matrices.columns(), 0));
    assign(window, where_node(window.dtype, along(*finite_, window.shape.rank()), leaf(window), identity), false);
}

ArrayCore NonFinite::marked(const ArrayCore& result) const {
    if (!finite_) return result;
    return evaluate(where_node(result.dtype, along(*finite_, result.shape.rank()), leaf(result), nan_of(result.dtype)));
}

}  // namespace gpu::detail
