// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/cuda_linear_algebra.hpp"

#include <algorithm>
#include <limits>

#include <gpu/error.hpp>

#include "cuda/linear_algebra/linear_algebra.hpp"

namespace gpu::detail::cuda {

namespace {

// Scale factors for products, in the type that these are computed in: real part, imaginary part.
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
        // Partial sums of halves are floats too.
        work.check(api.set_math_mode(made.handle, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION),
                   "cublasSetMathMode");
        return made;
    });
}

// Sets only what has changed: setting takes time. Streams other than the default one may have a different workspace.
cublasHandle_t CudaLinearAlgebra::prepare(Blas& blas, const MatrixWork& work, const MatrixProblem& problem,
                                          void* workspace) {
    if (problem.stream == nullptr && blas->stream == nullptr && blas->workspace == workspace) return blas->handle;
    const BlasApi& api = base_->blas();
    work.check(api.set_stream(blas->handle, static_cast<cudaStream_t>(problem.stream)), "cublasSetStream");
    blas->stream = problem.stream;
    blas->workspace = nullptr;  // setting the stream has reset it
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
    // With a workspace of its own, the same call gives the same bits, whatever other streams do.
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

// A Newton-Schulz step, U (3 - U^H U) / 2, squares the distance from orthonormal columns.
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

// Cholesky and LU with cuSOLVER's 64-bit functions; batches of small matrices take one call.

namespace {

// Up to this size a batch is one call, with about one block per item; larger matrices fill the GPU one by one.
constexpr std::int64_t batched_until = 256;

bool in_one_call(const MatrixProblem& problem, std::int64_t n) {
    return problem.batch > 1 && n <= batched_until && problem.batch <= max_items;
}

std::size_t table_bytes(const MatrixProblem& problem) {
    return static_cast<std::size_t>(problem.batch) * sizeof(void*);
}

}  // namespace

CudaLinearAlgebra::Solver CudaLinearAlgebra::take_solver(const MatrixWork& work, const MatrixProblem& problem) {
    const SolverApi& api = base_->solver();
    auto lease = solver_handles_.take(problem.device, [&] {
        SolverHandle made;
        work.check(api.create(&made.handle), "cusolverDnCreate");
        work.check(api.create_params(&made.params), "cusolverDnCreateParams");
        work.check(api.create_gesvdj_info(&made.gesvdj), "cusolverDnCreateGesvdjInfo");
        return made;
    });
    work.check(api.set_stream(lease->handle, static_cast<cudaStream_t>(problem.stream)), "cusolverDnSetStream");
    return lease;
}

void CudaLinearAlgebra::fill_addresses(const MatrixProblem& problem, const MatrixWork::Buffer& table, const void* data,
                                       std::int64_t elements) {
    kernels_.launch(
        {problem.device, problem.stream}, "addresses", [] { return addresses_text(); }, problem.batch, data,
        table.data(), elements * static_cast<std::int64_t>(size_of(problem.dtype)), problem.batch);
}

LinearAlgebra::Info CudaLinearAlgebra::cholesky(const MatrixProblem& problem, std::int64_t n, void* a) {
    const MatrixWork work(*base_, problem, [&] { return shape_text(n, n); });
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, problem);
    const MatrixWork::Buffer info = work.zeroed(info_bytes(problem));
    if (in_one_call(problem, n)) {
        const MatrixWork::Buffer table = work.buffer(table_bytes(problem));
        fill_addresses(problem, table, a, n * n);
        const int size = static_cast<int>(n);
        work.check(api.potrf_batched[problem.dtype](solver->handle, CUBLAS_FILL_MODE_LOWER, size, table.as<void*>(),
                                                    size, info.as<int>(), static_cast<int>(problem.batch)),
                   "cusolverDnpotrfBatched");
        return work.infos(info);
    }
    const cudaDataType type = work.type();
    std::size_t device_bytes = 0, host_bytes = 0;
    work.check(api.potrf_size(solver->handle, solver->params, CUBLAS_FILL_MODE_LOWER, n, type, a, n, type,
                              &device_bytes, &host_bytes),
               "cusolverDnXpotrf_bufferSize");
    MatrixWork::Workspace space(work, device_bytes, host_bytes);
    for (std::int64_t k = 0; k < problem.batch; ++k) {
        space.next_item();
        work.check(api.potrf(solver->handle, solver->params, CUBLAS_FILL_MODE_LOWER, n, type, work.item(a, k, n * n), n,
                             type, space.device(), device_bytes, space.host(), host_bytes, info.as<int>() + k),
                   "cusolverDnXpotrf");
    }
    return work.infos(info);
}

LinearAlgebra::Info CudaLinearAlgebra::lu(const MatrixProblem& problem, std::int64_t n, void* a, std::int32_t* pivots) {
    const MatrixWork work(*base_, problem, [&] { return shape_text(n, n); });
    const MatrixWork::Buffer info = work.zeroed(info_bytes(problem));
    if (in_one_call(problem, n)) {
        const BlasApi& api = base_->blas();
        Blas blas = take_blas(work, problem);
        const cublasHandle_t handle = prepare(blas, work, problem, nullptr);
        const MatrixWork::Buffer table = work.buffer(table_bytes(problem));
        fill_addresses(problem, table, a, n * n);
        const int size = static_cast<int>(n);
        work.check(api.getrf_batched[problem.dtype](handle, size, table.as<void*>(), size, pivots, info.as<int>(),
                                                    static_cast<int>(problem.batch)),
                   "cublasgetrfBatched");
        return work.infos(info);
    }
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, problem);
    const cudaDataType type = work.type();
    std::size_t device_bytes = 0, host_bytes = 0;
    work.check(api.getrf_size(solver->handle, solver->params, n, n, type, a, n, type, &device_bytes, &host_bytes),
               "cusolverDnXgetrf_bufferSize");
    MatrixWork::Workspace space(work, device_bytes, host_bytes);
    const std::int64_t count = n * problem.batch;
    const MatrixWork::Buffer wide = work.buffer(static_cast<std::size_t>(count) * sizeof(std::int64_t));
    for (std::int64_t k = 0; k < problem.batch; ++k) {
        space.next_item();
        work.check(api.getrf(solver->handle, solver->params, n, n, type, work.item(a, k, n * n), n,
                             wide.as<std::int64_t>() + k * n, type, space.device(), device_bytes, space.host(),
                             host_bytes, info.as<int>() + k),
                   "cusolverDnXgetrf");
    }
    kernels_.launch(
        {problem.device, problem.stream}, "narrow", [] { return pivots_text(); }, count, wide.data(), pivots,
        count);
    return work.infos(info);
}

void CudaLinearAlgebra::lu_solve(const MatrixProblem& problem, std::int64_t n, const void* lu,
                                 const std::int32_t* pivots, std::int64_t columns, void* b) {
    const MatrixWork work(*base_, problem, [&] { return shape_text(n, n) + " for " + shape_text(n, columns); });
    if (in_one_call(problem, n) && columns <= max_items) {
        const BlasApi& api = base_->blas();
        Blas blas = take_blas(work, problem);
        const cublasHandle_t handle = prepare(blas, work, problem, nullptr);
        const MatrixWork::Buffer factors = work.buffer(table_bytes(problem)), sides = work.buffer(table_bytes(problem));
        fill_addresses(problem, factors, lu, n * n);
        fill_addresses(problem, sides, b, n * columns);
        const int size = static_cast<int>(n);
        int info = 0;  // on the host: reports only wrong arguments
        work.check(api.getrs_batched[problem.dtype](handle, CUBLAS_OP_N, size, static_cast<int>(columns),
                                                    factors.as<const void*>(), size, pivots, sides.as<void*>(), size,
                                                    &info, static_cast<int>(problem.batch)),
                   "cublasgetrsBatched");
        return;
    }
    // cuSOLVER's getrs takes longer to exchange the rows, one after the other, than to solve.
    const std::int64_t all_rows = n * problem.batch, size = all_rows * columns;
    const std::size_t element = work.element(), bytes = static_cast<std::size_t>(size) * element;
    const MatrixWork::Buffer order = work.buffer(static_cast<std::size_t>(all_rows) * sizeof(std::int32_t));
    const MatrixWork::Buffer before = work.buffer(bytes);
    work.copy(before.data(), b, bytes);
    const MatrixKernels::Place place{problem.device, problem.stream};
    kernels_.launch(
        place, "row order", [] { return row_order_text(); }, all_rows, pivots, order.data(), n, all_rows);
    kernels_.launch(
        place, "rows in order" + std::to_string(element), [&] { return rows_in_order_text(element); }, size,
        before.data(), b, order.data(), n, columns, size);
    const BlasApi& api = base_->blas();
    Blas blas = take_blas(work, problem);
    const MatrixWork::BlasWorkspace workspace(work, blas->workspace_bytes);
    const cublasHandle_t handle = prepare(blas, work, problem, workspace.data());
    const void* const one = pointer_to(Factor::one, problem.dtype);
    for (std::int64_t k = 0; k < problem.batch; ++k) {
        const void* const factors = work.item(const_cast<void*>(lu), k, n * n);
        void* const sides = work.item(b, k, n * columns);
        for (const bool lower : {true, false}) {
            const cublasFillMode_t fill = lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER;
            const cublasDiagType_t diagonal = lower ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
            if (columns == 1)
                work.check(api.trsv[problem.dtype](handle, fill, CUBLAS_OP_N, diagonal, n, factors, n, sides, 1),
                           "cublastrsv_64");
            else
                work.check(api.trsm[problem.dtype](handle, CUBLAS_SIDE_LEFT, fill, CUBLAS_OP_N, diagonal, n, columns,
                                                   one, factors, n, sides, n),
                           "cublastrsm_64");
        }
    }
}

// QR, and eigenvalues of symmetric and Hermitian matrices.

namespace {

// The batched eigensolver is for small real matrices only: cuSOLVER has been reported to return wrong vectors for
// complex batches (pytorch/pytorch#192483). Splitting a batch into parts bounds the workspace.
constexpr std::int64_t batched_eigh_until = 256;
constexpr std::int64_t eigh_part = 4096;

}  // namespace

LinearAlgebra::Info CudaLinearAlgebra::qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a,
                                          std::int64_t q_columns, void* q) {
    const MatrixWork work(*base_, problem, [&] { return shape_text(m, n); });
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, problem);
    const cudaDataType type = work.type();
    const std::int64_t min_extent = std::min(m, n);
    const MatrixWork::Buffer info = work.zeroed(info_bytes(problem)), q_info = work.zeroed(info_bytes(problem));
    const MatrixWork::Buffer tau = work.zeroed(static_cast<std::size_t>(min_extent) * work.element());
    std::size_t device_bytes = 0, host_bytes = 0;
    work.check(api.geqrf_size(solver->handle, solver->params, m, n, type, a, m, type, tau.data(), type, &device_bytes,
                              &host_bytes),
               "cusolverDnXgeqrf_bufferSize");
    MatrixWork::Workspace space(work, device_bytes, host_bytes);

    const bool with_q = q != nullptr;
    const int rows = with_q ? work.narrow(m, "cusolverDnorgqr") : 0;
    const int columns = with_q ? work.narrow(q_columns, "cusolverDnorgqr") : 0;
    const int reflectors = static_cast<int>(std::min<std::int64_t>(min_extent, columns));
    int q_size = 0;
    if (with_q) {
        work.check(
            api.orgqr_size[problem.dtype](solver->handle, rows, columns, reflectors, q, rows, tau.data(), &q_size),
            "cusolverDnorgqr_bufferSize");
    }
    const MatrixWork::Buffer q_space = work.buffer(static_cast<std::size_t>(std::max(q_size, 0)) * work.element());
    for (std::int64_t k = 0; k < problem.batch; ++k) {
        space.next_item();
        void* const from = work.item(a, k, m * n);
        work.check(api.geqrf(solver->handle, solver->params, m, n, type, from, m, type, tau.data(), type,
                             space.device(), device_bytes, space.host(), host_bytes, info.as<int>() + k),
                   "cusolverDnXgeqrf");
        if (!with_q) continue;
        void* const to = work.item(q, k, m * q_columns);
        const std::size_t whole = static_cast<std::size_t>(m * q_columns) * work.element();
        const std::size_t known = static_cast<std::size_t>(m * reflectors) * work.element();
        work.copy(to, from, known);
        if (whole > known) work.zero(static_cast<char*>(to) + known, whole - known);
        work.check(api.orgqr[problem.dtype](solver->handle, rows, columns, reflectors, to, rows, tau.data(),
                                            q_space.data(), q_size, q_info.as<int>() + k),
                   "cusolverDnorgqr");
    }
    Info infos = work.infos(info);
    const Info of_q = work.infos(q_info);
    for (std::size_t k = 0; k < infos.size(); ++k)
        if (infos[k] == 0) infos[k] = of_q[k];
    return infos;
}

LinearAlgebra::Info CudaLinearAlgebra::eigh(const MatrixProblem& problem, std::int64_t n, void* a, void* values,
                                            bool vectors) {
    const MatrixWork work(*base_, problem, [&] { return shape_text(n, n); });
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, problem);
    const cudaDataType type = work.type(), real = work.real_type();
    const cusolverEigMode_t mode = vectors ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
    const MatrixWork::Buffer info = work.zeroed(info_bytes(problem));
    const auto values_of = [&](std::int64_t k) {
        return static_cast<char*>(values) + static_cast<std::size_t>(k * n) * work.real_element();
    };
    std::size_t device_bytes = 0, host_bytes = 0;
    const std::int64_t part = std::min(problem.batch, eigh_part);
    const bool in_one_call = problem.batch > 1 && n <= batched_eigh_until && !is_complex(problem.dtype);
    if (in_one_call && api.syev_batched_size(solver->handle, solver->params, mode, CUBLAS_FILL_MODE_LOWER, n, type, a,
                                             n, real, values, type, &device_bytes, &host_bytes,
                                             part) == CUSOLVER_STATUS_SUCCESS) {  // else one by one
        MatrixWork::Workspace space(work, device_bytes, host_bytes);
        for (std::int64_t k = 0; k < problem.batch; k += part) {
            space.next_item();
            work.check(
                api.syev_batched(solver->handle, solver->params, mode, CUBLAS_FILL_MODE_LOWER, n, type,
                                 work.item(a, k, n * n), n, real, values_of(k), type, space.device(), device_bytes,
                                 space.host(), host_bytes, info.as<int>() + k, std::min(part, problem.batch - k)),
                "cusolverDnXsyevBatched");
        }
        return work.infos(info);
    }
    work.check(api.syevd_size(solver->handle, solver->params, mode, CUBLAS_FILL_MODE_LOWER, n, type, a, n, real, values,
                              type, &device_bytes, &host_bytes),
               "cusolverDnXsyevd_bufferSize");
    MatrixWork::Workspace space(work, device_bytes, host_bytes);
    for (std::int64_t k = 0; k < problem.batch; ++k) {
        space.next_item();
        work.check(api.syevd(solver->handle, solver->params, mode, CUBLAS_FILL_MODE_LOWER, n, type,
                             work.item(a, k, n * n), n, real, values_of(k), type, space.device(), device_bytes,
                             space.host(), host_bytes, info.as<int>() + k),
                   "cusolverDnXsyevd");
    }
    return work.infos(info);
}

namespace {

constexpr std::int64_t batched_jacobi_until = 32;  // cuSOLVER's gesvdjBatched accepts no larger matrices
constexpr int jacobi_sweeps = 100;
// With this many columns, a matrix of floats is often too close to singular for gesvdp in float, but hardly ever in
// double; then double is faster than float followed by another method.
constexpr std::int64_t polar_in_double_from = 768;

double epsilon_of(DType dtype) {
    return real_dtype(dtype) == DType::float64 ? std::numeric_limits<double>::epsilon()
                                               : static_cast<double>(std::numeric_limits<float>::epsilon());
}

cusolverEigMode_t mode_of(SvdVectors vectors) {
    return vectors == SvdVectors::none ? CUSOLVER_EIG_MODE_NOVECTOR : CUSOLVER_EIG_MODE_VECTOR;
}

}  // namespace

LinearAlgebra::Info CudaLinearAlgebra::svd(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a,
                                           SvdVectors vectors, SvdMethod method, void* u, void* s, void* vh) {
    const SvdCall call{problem, m, n, a, vectors, u, s, vh};
    const bool small = m <= batched_jacobi_until && n <= batched_jacobi_until && problem.batch <= max_items;
    if (n == 1 && problem.batch == 1) method = SvdMethod::qr;  // one column: nothing to iterate
    switch (method) {
        case SvdMethod::jacobi: return problem.batch > 1 && small ? svd_jacobi_batched(call) : svd_jacobi(call);
        case SvdMethod::polar: break;
        case SvdMethod::qr: return svd_qr(call);
    }
    if (real_dtype(problem.dtype) == DType::float32 && n >= polar_in_double_from) {
        try {
            return svd_polar_in_double(call);
        } catch (const OutOfMemory&) {  // double needs twice the memory
        }
    }
    return svd_polar(call, epsilon_of(problem.dtype));
}

void CudaLinearAlgebra::convert(const MatrixProblem& problem, bool widen, const void* from, void* to,
                                std::int64_t reals) {
    kernels_.launch(
        {problem.device, problem.stream}, widen ? "float to double" : "double to float",
        [&] { return reals_text(widen); }, reals, from, to, reals);
}

void CudaLinearAlgebra::adjoint(const SvdCall& call, const void* v) {
    const DType dtype = call.problem.dtype;
    const std::int64_t count = call.n * call.n * call.problem.batch;
    kernels_.launch(
        {call.problem.device, call.problem.stream}, "adjoint " + std::string(name(dtype)),
        [&] { return adjoint_text(dtype); }, count, v, call.vh, call.n, count);
}

// On an H200, gesvdj's vectors were orthonormal only to 60 n eps; we promise 10.
void CudaLinearAlgebra::finish_jacobi(const SvdCall& call, void* v) {
    make_orthonormal(call.problem, call.m, call.u_columns(), call.u);
    make_orthonormal(call.problem, call.n, call.n, v);
    adjoint(call, v);
}

LinearAlgebra::Info CudaLinearAlgebra::svd_qr(const SvdCall& call) {
    const auto [m, n] = std::pair(call.m, call.n);
    const MatrixWork work(*base_, call.problem, [&] { return shape_text(m, n); });
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, call.problem);
    const cudaDataType type = work.type(), real = work.real_type();
    const signed char job = call.vectors == SvdVectors::none ? 'N' : call.vectors == SvdVectors::thin ? 'S' : 'A';
    const MatrixWork::Buffer info = work.zeroed(info_bytes(call.problem));
    std::size_t device_bytes = 0, host_bytes = 0;
    work.check(api.gesvd_size(solver->handle, solver->params, job, job, m, n, type, call.a, m, real, call.s, type,
                              call.u, m, type, call.vh, n, type, &device_bytes, &host_bytes),
               "cusolverDnXgesvd_bufferSize");
    MatrixWork::Workspace space(work, device_bytes, host_bytes);
    for (std::int64_t k = 0; k < call.problem.batch; ++k) {
        space.next_item();
        char* const s = static_cast<char*>(call.s) + static_cast<std::size_t>(k * n) * work.real_element();
        void* const u = call.u ? work.item(call.u, k, m * call.u_columns()) : nullptr;
        void* const vh = call.vh ? work.item(call.vh, k, n * n) : nullptr;
        work.check(api.gesvd(solver->handle, solver->params, job, job, m, n, type, work.item(call.a, k, m * n), m, real,
                             s, type, u, m, type, vh, n, type, space.device(), device_bytes, space.host(), host_bytes,
                             info.as<int>() + k),
                   "cusolverDnXgesvd");
    }
    return work.infos(info);
}

LinearAlgebra::Info CudaLinearAlgebra::svd_jacobi(const SvdCall& call) {
    const MatrixWork work(*base_, call.problem, [&] { return shape_text(call.m, call.n); });
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, call.problem);
    const DType dtype = call.problem.dtype;
    const int m = work.narrow(call.m, "cusolverDngesvdj"), n = work.narrow(call.n, "cusolverDngesvdj");
    const bool with_vectors = call.vectors != SvdVectors::none;
    const int economy = call.vectors == SvdVectors::full ? 0 : 1;
    const cusolverEigMode_t mode = mode_of(call.vectors);
    work.check(api.set_gesvdj_tolerance(solver->gesvdj, epsilon_of(dtype)), "cusolverDnXgesvdjSetTolerance");
    work.check(api.set_gesvdj_max_sweeps(solver->gesvdj, jacobi_sweeps), "cusolverDnXgesvdjSetMaxSweeps");
    // Vectors that nobody wants get memory all the same: the library may write there.
    const std::int64_t batch = call.problem.batch, n2 = call.n * call.n, u_size = call.m * call.u_columns();
    const MatrixWork::Buffer v =
        work.buffer(static_cast<std::size_t>(n2 * (with_vectors ? batch : 1)) * work.element());
    const MatrixWork::Buffer no_u = work.buffer(with_vectors ? 0 : static_cast<std::size_t>(u_size) * work.element());
    const MatrixWork::Buffer info = work.zeroed(info_bytes(call.problem));
    int size = 0;
    work.check(api.gesvdj_size[dtype](solver->handle, mode, economy, m, n, call.a, m, call.s,
                                      with_vectors ? call.u : no_u.data(), m, v.data(), n, &size, solver->gesvdj),
               "cusolverDngesvdj_bufferSize");
    const MatrixWork::Buffer space = work.buffer(static_cast<std::size_t>(std::max(size, 0)) * work.element());
    for (std::int64_t k = 0; k < batch; ++k) {
        char* const s = static_cast<char*>(call.s) + static_cast<std::size_t>(k * n) * work.real_element();
        void* const u = with_vectors ? work.item(call.u, k, u_size) : no_u.data();
        work.check(api.gesvdj[dtype](solver->handle, mode, economy, m, n, work.item(call.a, k, call.m * n), m, s, u, m,
                                     work.item(v.data(), with_vectors ? k : 0, n2), n, space.data(), size,
                                     info.as<int>() + k, solver->gesvdj),
                   "cusolverDngesvdj");
    }
    if (with_vectors) finish_jacobi(call, v.data());
    return work.infos(info);
}

LinearAlgebra::Info CudaLinearAlgebra::svd_jacobi_batched(const SvdCall& call) {
    const MatrixWork work(*base_, call.problem, [&] { return shape_text(call.m, call.n); });
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, call.problem);
    const DType dtype = call.problem.dtype;
    const int m = static_cast<int>(call.m), n = static_cast<int>(call.n), batch = static_cast<int>(call.problem.batch);
    const cusolverEigMode_t mode = mode_of(call.vectors);
    work.check(api.set_gesvdj_tolerance(solver->gesvdj, epsilon_of(dtype)), "cusolverDnXgesvdjSetTolerance");
    work.check(api.set_gesvdj_max_sweeps(solver->gesvdj, jacobi_sweeps), "cusolverDnXgesvdjSetMaxSweeps");
    // It computes m x m matrices U; thin ones are their first columns.
    const bool is_whole = call.vectors == SvdVectors::full || (call.vectors == SvdVectors::thin && m == n);
    const std::size_t items = static_cast<std::size_t>(batch) * work.element();
    const MatrixWork::Buffer whole_u = work.buffer(is_whole ? 0 : static_cast<std::size_t>(m * m) * items);
    const MatrixWork::Buffer v = work.buffer(static_cast<std::size_t>(n * n) * items);
    void* const u = is_whole ? call.u : whole_u.data();
    const MatrixWork::Buffer info = work.zeroed(info_bytes(call.problem));
    int size = 0;
    work.check(api.gesvdj_batched_size[dtype](solver->handle, mode, m, n, call.a, m, call.s, u, m, v.data(), n, &size,
                                              solver->gesvdj, batch),
               "cusolverDngesvdjBatched_bufferSize");
    const MatrixWork::Buffer space = work.buffer(static_cast<std::size_t>(std::max(size, 0)) * work.element());
    work.check(api.gesvdj_batched[dtype](solver->handle, mode, m, n, call.a, m, call.s, u, m, v.data(), n, space.data(),
                                         size, info.as<int>(), solver->gesvdj, batch),
               "cusolverDngesvdjBatched");
    if (call.vectors == SvdVectors::thin && !is_whole) {
        const std::int64_t kept = call.m * call.n, whole = call.m * call.m, count = kept * call.problem.batch;
        const std::size_t bytes = work.element();
        kernels_.launch(
            {call.problem.device, call.problem.stream}, "first columns" + std::to_string(bytes),
            [&] { return first_columns_text(bytes); }, count, u, call.u, kept, whole, count);
    }
    if (call.vectors != SvdVectors::none) finish_jacobi(call, v.data());
    return work.infos(info);
}

LinearAlgebra::Info CudaLinearAlgebra::svd_polar(const SvdCall& call, double epsilon) {
    const auto [m, n] = std::pair(call.m, call.n);
    const MatrixWork work(*base_, call.problem, [&] { return shape_text(m, n); });
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, call.problem);
    const cudaDataType type = work.type(), real = work.real_type();
    const bool with_vectors = call.vectors != SvdVectors::none;
    const int economy = call.vectors == SvdVectors::full ? 0 : 1;
    const cusolverEigMode_t mode = mode_of(call.vectors);
    const std::int64_t batch = call.problem.batch, u_size = m * call.u_columns();
    const MatrixWork::Buffer v =
        work.buffer(static_cast<std::size_t>(n * n * (with_vectors ? batch : 1)) * work.element());
    const MatrixWork::Buffer no_u = work.buffer(with_vectors ? 0 : static_cast<std::size_t>(u_size) * work.element());
    const MatrixWork::Buffer info = work.zeroed(info_bytes(call.problem));
    std::size_t device_bytes = 0, host_bytes = 0;
    work.check(
        api.gesvdp_size(solver->handle, solver->params, mode, economy, m, n, type, call.a, m, real, call.s, type,
                        with_vectors ? call.u : no_u.data(), m, type, v.data(), n, type, &device_bytes, &host_bytes),
        "cusolverDnXgesvdp_bufferSize");
    MatrixWork::Workspace space(work, device_bytes, host_bytes);
    // How far each matrix's singular values were shifted to make the polar decomposition possible.
    std::vector<double> moved(static_cast<std::size_t>(batch), 0);
    for (std::int64_t k = 0; k < batch; ++k) {
        space.next_item();
        char* const s = static_cast<char*>(call.s) + static_cast<std::size_t>(k * n) * work.real_element();
        void* const u = with_vectors ? work.item(call.u, k, u_size) : no_u.data();
        work.check(
            api.gesvdp(solver->handle, solver->params, mode, economy, m, n, type, work.item(call.a, k, m * n), m, real,
                       s, type, u, m, type, work.item(v.data(), with_vectors ? k : 0, n * n), n, type, space.device(),
                       device_bytes, space.host(), host_bytes, info.as<int>() + k, &moved[static_cast<std::size_t>(k)]),
            "cusolverDnXgesvdp");
    }
    if (with_vectors) adjoint(call, v.data());
    Info infos = work.infos(info);
    for (std::int64_t k = 0; k < batch; ++k) {
        const auto item = static_cast<std::size_t>(k);
        if (infos[item] != 0 || moved[item] == 0) continue;
        const void* const first = static_cast<char*>(call.s) + static_cast<std::size_t>(k * n) * work.real_element();
        const double largest = work.real_element() == sizeof(double)
                                   ? work.fetch<double>(first, 1)[0]
                                   : static_cast<double>(work.fetch<float>(first, 1)[0]);
        const double allowed = static_cast<double>(n) * epsilon * std::min(1.0, largest);
        if (!(moved[item] <= allowed)) infos[item] = n + 1;
    }
    return infos;
}

LinearAlgebra::Info CudaLinearAlgebra::svd_polar_in_double(const SvdCall& call) {
    MatrixProblem wide = call.problem;
    wide.dtype = is_complex(call.problem.dtype) ? DType::complex128 : DType::float64;
    const MatrixWork work(*base_, wide, [&] { return shape_text(call.m, call.n); });
    const bool with_vectors = call.vectors != SvdVectors::none;
    const std::int64_t parts = is_complex(wide.dtype) ? 2 : 1, batch = wide.batch;
    const std::int64_t a_reals = call.m * call.n * batch * parts, s_reals = call.n * batch;
    const std::int64_t u_reals = with_vectors ? call.m * call.u_columns() * batch * parts : 0;
    const std::int64_t vh_reals = with_vectors ? call.n * call.n * batch * parts : 0;
    const auto reals = [&](std::int64_t count) {
        return work.buffer(static_cast<std::size_t>(count) * sizeof(double));
    };
    const MatrixWork::Buffer a = reals(a_reals), u = reals(u_reals), s = reals(s_reals), vh = reals(vh_reals);
    convert(wide, true, call.a, a.data(), a_reals);
    Info infos = svd_polar({wide, call.m, call.n, a.data(), call.vectors, u.data(), s.data(), vh.data()},
                           epsilon_of(call.problem.dtype));
    convert(wide, false, s.data(), call.s, s_reals);
    convert(wide, false, u.data(), call.u, u_reals);
    convert(wide, false, vh.data(), call.vh, vh_reals);
    return infos;
}

// Which SVD method is fastest where, as measured by bench/svd_bench.cpp on an H200 with cuSOLVER of CUDA 13.0
// (docs/benchmarks/linear-algebra.md). Small matrices that libgpu's own kernel handles don't get here.

namespace {

/// From this many columns on (m >= n), the method is the fastest.
struct Row {
    std::int64_t columns;
    SvdMethod method;
};

constexpr Row real_rows[] = {{0, SvdMethod::qr}, {16, SvdMethod::jacobi}, {160, SvdMethod::polar}};
constexpr Row complex_rows[] = {{0, SvdMethod::qr}, {16, SvdMethod::jacobi}, {96, SvdMethod::polar}};
// For values alone: QR then needs no sweeps over vectors.
constexpr Row value_rows[] = {{0, SvdMethod::qr}, {96, SvdMethod::polar}};
constexpr std::int64_t batched_jacobi = 32;  // cuSOLVER does batches of up to 32 x 32 in one launch

template <std::size_t count>
SvdMethod method_in(const Row (&rows)[count], std::int64_t columns) noexcept {
    SvdMethod method = rows[0].method;
    for (const Row& row : rows)
        if (columns >= row.columns) method = row.method;
    return method;
}

}  // namespace

// No QR first: for tall matrices the methods do that themselves, and were up to 20 % faster than with ours.
SvdPlan fastest_svd_plan(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n, SvdVectors vectors) noexcept {
    if (batch > 1 && m <= batched_jacobi && n <= batched_jacobi) return {SvdMethod::jacobi};
    if (vectors == SvdVectors::none) return {method_in(value_rows, n)};
    // A square U of a tall matrix is large: only QR counts its elements in 64 bits.
    if (vectors == SvdVectors::full && m != n) return {SvdMethod::qr};
    return {is_complex(dtype) ? method_in(complex_rows, n) : method_in(real_rows, n)};
}

}  // namespace gpu::detail::cuda
