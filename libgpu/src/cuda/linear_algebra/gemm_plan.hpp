// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "backend/linalg.hpp"

namespace gpu::detail::cuda {

/// A factor of a product as cuBLAS reads it: column-major with a leading dimension, transposed or not.
struct GemmFactor {
    const void* data = nullptr;
    bool transposed = false;
    std::int64_t leading = 1;
    std::int64_t batch_stride = 0;
};

/// C (m x n) = op(A) (m x k) op(B) (k x n), all column-major.
struct GemmPlan {
    std::int64_t m = 0, n = 0, k = 0;
    GemmFactor a, b;
    void* c = nullptr;
    std::int64_t c_leading = 1, c_batch_stride = 0;
};

/// The same matrices with rows and columns exchanged.
[[nodiscard]] MatrixBatch transposed(const MatrixBatch& matrix) noexcept;

/// True if columns follow each other, each without gaps. A vector may be both this and its transpose.
[[nodiscard]] bool is_column_major(const MatrixBatch& matrix) noexcept;

/// How cuBLAS, which knows column-major matrices alone, computes result = left * right without a copy: a row-major
/// result is the transpose of a column-major one, and (left right)^T = right^T left^T.
/// @throws Error if a matrix is neither row- nor column-major
[[nodiscard]] GemmPlan plan_gemm(const MatrixBatch& left, const MatrixBatch& right, const MatrixBatch& result);

}  // namespace gpu::detail::cuda
