// SPDX-License-Identifier: MIT
// Matrix products for every combination of storage orders, without copies except Eigen's own blocks.
#include <utility>

#include "host_linalg/element.hpp"
#include "host_linalg/functions.hpp"

namespace gpu::host_linalg {

namespace {

template <int order>
using Strided =
    Eigen::Map<Eigen::Matrix<Element, Eigen::Dynamic, Eigen::Dynamic, order>, Eigen::Unaligned, Eigen::OuterStride<>>;

template <int order>
Strided<order> strided(const Matrix& matrix) {
    const std::int64_t outer = order == Eigen::ColMajor ? matrix.column_stride : matrix.row_stride;
    return {static_cast<Element*>(matrix.data), matrix.rows, matrix.columns, Eigen::OuterStride<>(outer)};
}

bool is_column_major(const Matrix& matrix) { return matrix.row_stride == 1; }

Matrix transposed(const Matrix& m) { return {m.data, m.columns, m.rows, m.column_stride, m.row_stride}; }

template <int left_order, int right_order>
void multiply(const Matrix& left, const Matrix& right, const Matrix& result) {
    strided<Eigen::ColMajor>(result).noalias() = strided<left_order>(left) * strided<right_order>(right);
}

}  // namespace

template <>
void matmul<Element>(const Matrix& left, const Matrix& right, const Matrix& result) {
    constexpr int columns = Eigen::ColMajor, rows = Eigen::RowMajor;
    // The transposed product is the product of the transposes in reverse order.
    if (!is_column_major(result)) return matmul<Element>(transposed(right), transposed(left), transposed(result));
    if (is_column_major(left)) {
        if (is_column_major(right)) return multiply<columns, columns>(left, right, result);
        return multiply<columns, rows>(left, right, result);
    }
    if (is_column_major(right)) return multiply<rows, columns>(left, right, result);
    multiply<rows, rows>(left, right, result);
}

}  // namespace gpu::host_linalg
