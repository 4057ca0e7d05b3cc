// SPDX-License-Identifier: MIT
// QR, and eigenvalues of symmetric and Hermitian matrices.
#include <algorithm>

#include "cuda/linear_algebra/cuda_linear_algebra.hpp"

namespace gpu::detail::cuda {

namespace {

// The batched eigensolver is for small matrices, and of real ones alone: wrong vectors of complex batches have been
// reported of cuSOLVER (pytorch/pytorch#192483). A part of a batch at a time keeps the workspace within bounds.
constexpr std::int64_t batched_eigh_until = 256;
constexpr std::int64_t eigh_part = 4096;

}  // namespace

LinearAlgebra::Info CudaLinearAlgebra::qr(const MatrixProblem& problem, std::int64_t m, std::int64_t n, void* a,
                                          std::int64_t q_columns, void* q) {
    const MatrixWork work(*base_, problem, [&] { return shape_text(m, n); });
    const SolverApi& api = base_->solver();
    const Solver solver = take_solver(work, problem);
    const cudaDataType type = work.type();
    const std::int64_t least = std::min(m, n);
    const MatrixWork::Buffer info = work.zeroed(info_bytes(problem)), q_info = work.zeroed(info_bytes(problem));
    const MatrixWork::Buffer tau = work.zeroed(static_cast<std::size_t>(least) * work.element());
    std::size_t device_bytes = 0, host_bytes = 0;
    work.check(api.geqrf_size(solver->handle, solver->params, m, n, type, a, m, type, tau.data(), type, &device_bytes,
                              &host_bytes),
               "cusolverDnXgeqrf_bufferSize");
    MatrixWork::Workspace space(work, device_bytes, host_bytes);

    const bool with_q = q != nullptr;
    const int rows = with_q ? work.narrow(m, "cusolverDnorgqr") : 0;
    const int columns = with_q ? work.narrow(q_columns, "cusolverDnorgqr") : 0;
    const int reflectors = static_cast<int>(std::min<std::int64_t>(least, columns));
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

}  // namespace gpu::detail::cuda
