// SPDX-License-Identifier: MIT
#include <gpu/error.hpp>

#include "cuda/linear_algebra/cuda_linear_algebra.hpp"

namespace gpu::detail::cuda {

namespace {

// What products are scaled by, in the type that they are computed in: real part, imaginary part.
enum class Factor { one, zero, half_less, half_more };
alignas(16) constexpr float single_factors[] = {1, 0, 0, 0, -0.5F, 0, 1.5F, 0};
alignas(16) constexpr double double_factors[] = {1, 0, 0, 0, -0.5, 0, 1.5, 0};

const void* pointer_to(Factor factor, DType dtype) {
    const int first = 2 * static_cast<int>(factor);
    return real_dtype(dtype) == DType::float64 ? static_cast<const void*>(double_factors + first)
                                               : static_cast<const void*>(single_factors + first);
}

// Halves are multiplied as floats; float32 never as TF32.
cublasComputeType_t compute_type(DType dtype) {
    return real_dtype(dtype) == DType::float64 ? CUBLAS_COMPUTE_64F : CUBLAS_COMPUTE_32F;
}

cublasOperation_t operation(const GemmFactor& factor) { return factor.transposed ? CUBLAS_OP_T : CUBLAS_OP_N; }

MatrixSteps steps_of(const MatrixBatch& matrix) {
    return {matrix.row_stride, matrix.column_stride, matrix.batch_stride};
}

}  // namespace

std::string shape_text(std::int64_t rows, std::int64_t columns) {
    return std::to_string(rows) + " x " + std::to_string(columns);
}

std::unique_ptr<LinearAlgebra> make_linear_algebra(std::unique_ptr<LinearAlgebraBase> base) {
    return std::make_unique<CudaLinearAlgebra>(std::move(base));
}

CudaLinearAlgebra::Blas CudaLinearAlgebra::take_blas(const MatrixWork& work, const MatrixProblem& problem) {
    const BlasApi& api = base_->blas();
    return blas_handles_.take(problem.device, [&] {
        BlasHandle made{.workspace_bytes = base_->blas_workspace(problem.device)};
        work.check(api.create(&made.handle), "cublasCreate");
        // Partial sums of halves are added up as floats too.
        work.check(api.set_math_mode(made.handle, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
                   "cublasSetMathMode");
        return made;
    });
}

// What is set isn't set again: that takes time. Other streams than the default one may have got another's address.
cublasHandle_t CudaLinearAlgebra::prepare(Blas& blas, const MatrixWork& work, const MatrixProblem& problem,
                                          void* workspace) {
    if (problem.stream == nullptr && blas->stream == nullptr && blas->workspace == workspace) return blas->handle;
    const BlasApi& api = base_->blas();
    work.check(api.set_stream(blas->handle, static_cast<cudaStream_t>(problem.stream)), "cublasSetStream");
    blas->stream = problem.stream;
    blas->workspace = nullptr;  // setting the stream has seen to that
    if (workspace == nullptr) return blas->handle;
    work.check(api.set_workspace(blas->handle, workspace, blas->workspace_bytes), "cublasSetWorkspace");
    blas->workspace = workspace;
    return blas->handle;
}

void CudaLinearAlgebra::matmul(const MatrixProblem& problem, const MatrixBatch& left, const MatrixBatch& right,
                               const MatrixBatch& result) {
    if (is_integer(problem.dtype))
        integer_product(problem, left, right, result);
    else
        gemm(problem, plan_gemm(left, right, result));
}

void CudaLinearAlgebra::gemm(const MatrixProblem& problem, const GemmPlan& plan) {
    const MatrixWork work(*base_, problem,
                          [&] { return shape_text(plan.m, plan.k) + " times " + shape_text(plan.k, plan.n); });
    const cudaDataType type = work.type();
    const cublasComputeType_t compute = compute_type(problem.dtype);
    const void *one = pointer_to(Factor::one, problem.dtype), *zero = pointer_to(Factor::zero, problem.dtype);
    const BlasApi& api = base_->blas();
    Blas blas = take_blas(work, problem);
    // With a workspace of its own the same call gives the same bits, whatever other streams do.
    const MatrixWork::BlasWorkspace workspace(work, blas->workspace_bytes);
    const cublasHandle_t handle = prepare(blas, work, problem, workspace.data());
    if (problem.batch == 1) {
        work.check(api.gemm(handle, operation(plan.a), operation(plan.b), plan.m, plan.n, plan.k, one, plan.a.data,
                            type, plan.a.leading, plan.b.data, type, plan.b.leading, zero, plan.c, type, plan.c_leading,
                            compute, CUBLAS_GEMM_DEFAULT),
                   "cublasGemmEx_64");
        return;
    }
    work.check(api.gemm_batched(handle, operation(plan.a), operation(plan.b), plan.m, plan.n, plan.k, one, plan.a.data,
                                type, plan.a.leading, plan.a.batch_stride, plan.b.data, type, plan.b.leading,
                                plan.b.batch_stride, zero, plan.c, type, plan.c_leading, plan.c_batch_stride,
                                problem.batch, compute, CUBLAS_GEMM_DEFAULT),
               "cublasGemmStridedBatchedEx_64");
}

// A step of Newton and Schulz, U (3 - U^H U) / 2, squares the distance from orthonormal columns.
void CudaLinearAlgebra::make_orthonormal(const MatrixProblem& problem, std::int64_t rows, std::int64_t columns,
                                         void* u) {
    const MatrixWork work(*base_, problem, [&] { return shape_text(rows, columns) + ", made orthonormal"; });
    const cudaDataType type = work.type();
    const cublasComputeType_t compute = compute_type(problem.dtype);
    const auto factor = [&](Factor which) { return pointer_to(which, problem.dtype); };
    const std::int64_t size = rows * columns, square = columns * columns;
    const std::size_t bytes = static_cast<std::size_t>(size * problem.batch) * work.element();
    const MatrixWork::Buffer before = work.buffer(bytes);
    const MatrixWork::Buffer gram = work.buffer(static_cast<std::size_t>(square * problem.batch) * work.element());
    work.copy(before.data(), u, bytes);
    const BlasApi& api = base_->blas();
    Blas blas = take_blas(work, problem);
    const MatrixWork::BlasWorkspace workspace(work, blas->workspace_bytes);
    const cublasHandle_t handle = prepare(blas, work, problem, workspace.data());
    work.check(api.gemm_batched(handle, CUBLAS_OP_C, CUBLAS_OP_N, columns, columns, rows, factor(Factor::one), u, type,
                                rows, size, u, type, rows, size, factor(Factor::zero), gram.data(), type, columns,
                                square, problem.batch, compute, CUBLAS_GEMM_DEFAULT),
               "cublasGemmStridedBatchedEx_64");
    work.check(
        api.gemm_batched(handle, CUBLAS_OP_N, CUBLAS_OP_N, rows, columns, columns, factor(Factor::half_less),
                         before.data(), type, rows, size, gram.data(), type, columns, square, factor(Factor::half_more),
                         u, type, rows, size, problem.batch, compute, CUBLAS_GEMM_DEFAULT),
        "cublasGemmStridedBatchedEx_64");
}

void CudaLinearAlgebra::integer_product(const MatrixProblem& problem, MatrixBatch left, MatrixBatch right,
                                        MatrixBatch result) {
    if (result.column_stride != 1 && result.columns > 1) {  // neighbouring threads write neighbours in a row
        const MatrixBatch first = transposed(right);
        right = transposed(left);
        left = first;
        result = transposed(result);
    }
    const auto tiles = [](std::int64_t extent) { return (extent + product_tile - 1) / product_tile; };
    const std::size_t bytes = size_of(problem.dtype);
    const ProductShape shape{result.rows, result.columns, left.columns, problem.batch};
    kernels_.launch_blocks(
        {problem.device, problem.stream}, "product" + std::to_string(bytes),
        [&] { return integer_product_text(bytes); }, tiles(result.rows) * tiles(result.columns) * problem.batch,
        left.data, steps_of(left), right.data, steps_of(right), result.data, steps_of(result), shape);
}

}  // namespace gpu::detail::cuda
