// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "cuda/linear_algebra/linear_algebra.hpp"
#include "cuda/linear_algebra/matrix_kernels.hpp"
#include "cuda/linear_algebra/matrix_work.hpp"

namespace gpu::detail::cuda {

class CudaLinearAlgebra final : public LinearAlgebra {
public:
    explicit CudaLinearAlgebra(std::unique_ptr<LinearAlgebraBase> base)
        : base_(std::move(base)), kernels_(base_->backend()) {}

    void matmul(const MatrixProblem& problem, const MatrixBatch& left, const MatrixBatch& right,
                const MatrixBatch& result) override;
    [[nodiscard]] Info cholesky(const MatrixProblem& problem, std::int64_t n, void* a) override;
    [[nodiscard]] Info lu(const MatrixProblem& problem, std::int64_t n, void* a, std::int32_t* pivots) override;
    void lu_solve(const MatrixProblem& problem, std::int64_t n, const void* lu, const std::int32_t* pivots,
                  std::int64_t columns, void* b) override;
    [[nodiscard]] Info qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, std::int64_t q_columns,
                          void* q) override;
    [[nodiscard]] Info eigh(const MatrixProblem& problem, std::int64_t n, void* a, void* values, bool vectors) override;
    [[nodiscard]] Info svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a, SvdVectors vectors,
                           SvdMethod method, void* u, void* s, void* vh) override;
    [[nodiscard]] SvdPlan fastest_svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n,
                                      SvdVectors vectors) const override {
        return fastest_svd_plan(problem.dtype, problem.batch, m, n, vectors);
    }
    [[nodiscard]] std::size_t block_memory(int device) const override { return base_->block_memory(device); }

private:
    using Blas = HandlePool<BlasHandle>::Lease;
    using Solver = HandlePool<SolverHandle>::Lease;

    /// A singular value decomposition, in the form that the methods take.
    struct SvdCall {
        const MatrixProblem& problem;
        std::int64_t m, n;
        void* a;
        SvdVectors vectors;
        void *u, *s, *vh;
        [[nodiscard]] std::int64_t u_columns() const noexcept { return vectors == SvdVectors::full ? m : n; }
    };

    // Take handles of the problem's device; cuSOLVER's works in the problem's stream.
    [[nodiscard]] Blas take_blas(const MatrixWork& work, const MatrixProblem& problem);
    /// Makes the handle work in the problem's stream and, unless null, in this workspace.
    cublasHandle_t prepare(Blas& blas, const MatrixWork& work, const MatrixProblem& problem, void* workspace);
    [[nodiscard]] Solver take_solver(const MatrixWork& work, const MatrixProblem& problem);

    void gemm(const MatrixProblem& problem, const GemmPlan& plan);
    void integer_product(const MatrixProblem& problem, MatrixBatch left, MatrixBatch right, MatrixBatch result);
    /// Fills the table with the addresses of the batch's matrices, `elements` apart, for batched functions.
    void fill_addresses(const MatrixProblem& problem, const MatrixWork::Buffer& table, const void* data,
                        std::int64_t elements);
    /// Makes nearly orthonormal columns orthonormal to rounding error.
    void make_orthonormal(const MatrixProblem& problem, std::int64_t rows, std::int64_t columns, void* u);
    /// Sets vh to the conjugate transposes of v, n x n.
    void adjoint(const SvdCall& call, const void* v);

    /// Finishes Jacobi's method: transposes V and improves the orthonormality of the columns.
    void finish_jacobi(const SvdCall& call, void* v);

    Info svd_qr(const SvdCall& call);
    Info svd_jacobi(const SvdCall& call);
    Info svd_jacobi_batched(const SvdCall& call);
    /// @param epsilon the precision wanted of the results.
    Info svd_polar(const SvdCall& call, double epsilon);
    /// The same computed in double for float matrices, which stay unchanged.
    Info svd_polar_in_double(const SvdCall& call);
    /// Converts this many reals from the problem's type to double, or back.
    void convert(const MatrixProblem& problem, bool widen, const void* from, void* to, std::int64_t reals);

    std::unique_ptr<LinearAlgebraBase> base_;
    MatrixKernels kernels_;
    HandlePool<BlasHandle> blas_handles_;
    HandlePool<SolverHandle> solver_handles_;
};

/// "3 x 4".
[[nodiscard]] std::string shape_text(std::int64_t rows, std::int64_t columns);

}  // namespace gpu::detail::cuda
