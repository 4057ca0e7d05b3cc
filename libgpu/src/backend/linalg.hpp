// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include <gpu/dtype.hpp>

namespace gpu::detail {

/// A batch of matrices of one shape. Strides count elements; a batch stride of 0 repeats one matrix.
struct MatrixBatch {
    void* data = nullptr;
    std::int64_t rows = 0, columns = 0;
    std::int64_t row_stride = 0, column_stride = 0, batch_stride = 0;
};

/// The method of a singular value decomposition. `automatic` is resolved before the backend is called.
enum class SvdMethod { qr, jacobi, polar };

/// A method, and whether to reduce the matrix first: A = Q R, and the method decomposes R.
struct SvdPlan {
    SvdMethod method = SvdMethod::qr;
    bool tall_qr = false;
};

/// The wanted parts of a singular value decomposition.
enum class SvdVectors { none, thin, full };

/// One batch of problems: `batch` of them in `dtype`, one after another in memory.
struct MatrixProblem {
    int device = 0;
    void* stream = nullptr;
    DType dtype = DType::float32;
    std::int64_t batch = 1;
};

/// A backend's linear algebra, loaded on first use. All pointers are to the device's memory.
///
/// Except matmul's, matrices are column-major without gaps, the items of a batch one after the other, in float, double
/// or complex numbers of these. Extents are at least 1. The factorisations wait for their info codes and return them,
/// one per item: 0, or LAPACK's meaning (below 0: an argument; above 0: which minor, pivot or value failed).
class LinearAlgebra {
public:
    using Info = std::vector<std::int64_t>;

    virtual ~LinearAlgebra() = default;

    /// result = left * right, queued in the stream. In each matrix, one stride is 1 (either one for a vector) and the
    /// other is at least the extent along the first. Any dtype but boolean; floats of 16 bits accumulate in float. No
    /// extent is 0.
    virtual void matmul(const MatrixProblem& problem, const MatrixBatch& left, const MatrixBatch& right,
                        const MatrixBatch& result) = 0;

    /// The lower triangle of the n x n matrices becomes L, with A = L L^H; the part above it is undefined.
    [[nodiscard]] virtual Info cholesky(const MatrixProblem& problem, std::int64_t n, void* a) = 0;

    /// The n x n matrices become L and U of P A = L U; `pivots`, n int32 per item, are LAPACK's, from 1. Info is above
    /// 0 if U is singular; L and U are still valid.
    [[nodiscard]] virtual Info lu(const MatrixProblem& problem, std::int64_t n, void* a, std::int32_t* pivots) = 0;
    /// b, n x columns, becomes the solution of A x = b, using lu's results. Queued in the stream.
    virtual void lu_solve(const MatrixProblem& problem, std::int64_t n, const void* lu, const std::int32_t* pivots,
                          std::int64_t columns, void* b) = 0;

    /// R replaces the upper triangle of the m x n matrices (the part below it is undefined); q becomes the first
    /// `q_columns` columns of Q: min(m, n) or m of them; none if q is null.
    [[nodiscard]] virtual Info qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a,
                                  std::int64_t q_columns, void* q) = 0;

    /// Eigenvalues of the symmetric or Hermitian n x n matrices, of which the lower triangle is read, in ascending
    /// order into `values` (real, n per item); with `vectors`, the eigenvectors replace `a`, otherwise a is destroyed.
    [[nodiscard]] virtual Info eigh(const MatrixProblem& problem, std::int64_t n, void* a, void* values,
                                    bool vectors) = 0;

    /// A = U diag(s) V^H of m x n matrices with m >= n; destroys a. s: n real values per item, in descending order. u
    /// is m x n (thin) or m x m (full), vh n x n. Info above 0: no convergence.
    [[nodiscard]] virtual Info svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a,
                                   SvdVectors vectors, SvdMethod method, void* u, void* s, void* vh) = 0;
    /// The fastest method here for such a problem, from measurements.
    [[nodiscard]] virtual SvdPlan fastest_svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n,
                                              SvdVectors vectors) const = 0;
    /// The shared memory of a block, if libgpu's own kernels for small matrices (linalg/svd, linalg/small_matrices) are
    /// the fastest; 0: they aren't.
    [[nodiscard]] virtual std::size_t block_memory(int device) const = 0;
};

}  // namespace gpu::detail
