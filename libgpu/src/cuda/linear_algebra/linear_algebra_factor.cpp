// SPDX-License-Identifier: MIT
// Cholesky and LU by cuSOLVER's 64-bit functions; batches of small matrices in one call.
#include "cuda/linear_algebra/cuda_linear_algebra.hpp"

namespace gpu::detail::cuda {

namespace {

// Up to here a batch is one call, in which an item is a block or so; larger matrices fill the GPU one by one.
constexpr std::int64_t batched_until = 256;

bool in_one_call(const MatrixProblem& problem, std::int64_t n) {
    return problem.batch > 1 && n <= batched_until && problem.batch <= most_items;
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
        {problem.device, problem.stream}, "narrow", [] { return pivots_text(false); }, count, wide.data(), pivots,
        count);
    return work.infos(info);
}

void CudaLinearAlgebra::lu_solve(const MatrixProblem& problem, std::int64_t n, const void* lu,
                                 const std::int32_t* pivots, std::int64_t columns, void* b) {
    const MatrixWork work(*base_, problem, [&] { return shape_text(n, n) + " for " + shape_text(n, columns); });
    if (in_one_call(problem, n) && columns <= most_items) {
        const BlasApi& api = base_->blas();
        Blas blas = take_blas(work, problem);
        const cublasHandle_t handle = prepare(blas, work, problem, nullptr);
        const MatrixWork::Buffer factors = work.buffer(table_bytes(problem)), sides = work.buffer(table_bytes(problem));
        fill_addresses(problem, factors, lu, n * n);
        fill_addresses(problem, sides, b, n * columns);
        const int size = static_cast<int>(n);
        int info = 0;  // the host's: it tells of wrong arguments alone
        work.check(api.getrs_batched[problem.dtype](handle, CUBLAS_OP_N, size, static_cast<int>(columns),
                                                    factors.as<const void*>(), size, pivots, sides.as<void*>(), size,
                                                    &info, static_cast<int>(problem.batch)),
                   "cublasgetrsBatched");
        return;
    }
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, problem);
    const cudaDataType type = work.type();
    const std::int64_t count = n * problem.batch;
    const MatrixWork::Buffer wide = work.buffer(static_cast<std::size_t>(count) * sizeof(std::int64_t));
    const MatrixWork::Buffer info = work.buffer(sizeof(int));
    kernels_.launch(
        {problem.device, problem.stream}, "widen", [] { return pivots_text(true); }, count, pivots, wide.data(), count);
    for (std::int64_t k = 0; k < problem.batch; ++k) {
        work.check(api.getrs(solver->handle, solver->params, CUBLAS_OP_N, n, columns, type,
                             work.item(const_cast<void*>(lu), k, n * n), n, wide.as<std::int64_t>() + k * n, type,
                             work.item(b, k, n * columns), n, info.as<int>()),
                   "cusolverDnXgetrs");
    }
}

}  // namespace gpu::detail::cuda
