// SPDX-License-Identifier: MIT
#include <algorithm>
#include <limits>

#include <gpu/error.hpp>

#include "cuda/linear_algebra/cuda_linear_algebra.hpp"

namespace gpu::detail::cuda {

namespace {

constexpr std::int64_t batched_jacobi_until = 32;  // cuSOLVER's gesvdjBatched takes no larger matrices
constexpr int jacobi_sweeps = 100;
// Of so many columns, a matrix of floats is often too nearly singular for gesvdp in float, but hardly ever in double;
// then double is faster than float and another method after it.
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
    const bool small = m <= batched_jacobi_until && n <= batched_jacobi_until && problem.batch <= most_items;
    if (n == 1 && problem.batch == 1) method = SvdMethod::qr;  // one column: there is nothing to iterate
    switch (method) {
        case SvdMethod::jacobi: return problem.batch > 1 && small ? svd_jacobi_batched(call) : svd_jacobi(call);
        case SvdMethod::polar: break;
        case SvdMethod::qr: return svd_qr(call);
    }
    if (real_dtype(problem.dtype) == DType::float32 && n >= polar_in_double_from) {
        try {
            return svd_polar_in_double(call);
        } catch (const OutOfMemory&) {  // it takes twice as much
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

// On an H200 gesvdj's vectors were orthonormal to no better than 60 n eps; we promise 10.
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
    // Vectors that nobody wants get a place all the same: the library may write there.
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
    // It computes m x m matrices U; of thin ones the first columns are kept.
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
    // By how much the singular values were moved, so that the polar decomposition could be done at all.
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

}  // namespace gpu::detail::cuda
