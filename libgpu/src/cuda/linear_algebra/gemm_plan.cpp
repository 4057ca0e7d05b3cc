// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/gemm_plan.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <gpu/error.hpp>

namespace gpu::detail::cuda {

namespace {

// From column to column. Of a single column it says nothing, but cuBLAS checks it.
std::int64_t leading_dimension(const MatrixBatch& column_major) noexcept {
    return column_major.columns == 1 ? std::max<std::int64_t>(column_major.rows, 1) : column_major.column_stride;
}

GemmFactor factor(const MatrixBatch& matrix, const char* which) {
    if (is_column_major(matrix)) return {matrix.data, false, leading_dimension(matrix), matrix.batch_stride};
    const MatrixBatch other = transposed(matrix);
    if (is_column_major(other)) return {matrix.data, true, leading_dimension(other), matrix.batch_stride};
    throw Error("matmul: the " + std::string(which) + " matrix, " + std::to_string(matrix.rows) + " x " +
                std::to_string(matrix.columns) + " with strides " + std::to_string(matrix.row_stride) + " and " +
                std::to_string(matrix.column_stride) + ", is neither row- nor column-major");
}

}  // namespace

MatrixBatch transposed(const MatrixBatch& matrix) noexcept {
    MatrixBatch result = matrix;
    std::swap(result.rows, result.columns);
    std::swap(result.row_stride, result.column_stride);
    return result;
}

bool is_column_major(const MatrixBatch& matrix) noexcept {
    return (matrix.rows == 1 || matrix.row_stride == 1) &&
           (matrix.columns == 1 || matrix.column_stride >= std::max<std::int64_t>(matrix.rows, 1));
}

GemmPlan plan_gemm(const MatrixBatch& left, const MatrixBatch& right, const MatrixBatch& result) {
    if (!is_column_major(result)) {
        const MatrixBatch other = transposed(result);
        if (is_column_major(other)) return plan_gemm(transposed(right), transposed(left), other);
        (void)factor(result, "resulting");  // throws
    }
    return {.m = result.rows,
            .n = result.columns,
            .k = left.columns,
            .a = factor(left, "left"),
            .b = factor(right, "right"),
            .c = result.data,
            .c_leading = leading_dimension(result),
            .c_batch_stride = result.batch_stride};
}

}  // namespace gpu::detail::cuda
