// SPDX-License-Identifier: MIT
#pragma once

// The toolkit's header gives types alone: nothing of libgpu links cuSOLVER.
#include <cusolverDn.h>

#include <string>
#include <vector>

#include "cuda/base/typed_functions.hpp"

namespace gpu::detail::cuda {

/// The functions of cuSOLVER that libgpu calls, looked up when the first of them is needed.
struct SolverApi {
    using PotrfBatched = cusolverStatus_t(cusolverDnHandle_t, cublasFillMode_t, int n, void** a, int lda, int* info,
                                          int batch);
    using OrgqrSize = cusolverStatus_t(cusolverDnHandle_t, int m, int n, int k, const void* a, int lda, const void* tau,
                                       int* size);
    using Orgqr = cusolverStatus_t(cusolverDnHandle_t, int m, int n, int k, void* a, int lda, const void* tau,
                                   void* work, int size, int* info);
    using GesvdjSize = cusolverStatus_t(cusolverDnHandle_t, cusolverEigMode_t, int economy, int m, int n, const void* a,
                                        int lda, const void* s, const void* u, int ldu, const void* v, int ldv,
                                        int* size, gesvdjInfo_t);
    using Gesvdj = cusolverStatus_t(cusolverDnHandle_t, cusolverEigMode_t, int economy, int m, int n, void* a, int lda,
                                    void* s, void* u, int ldu, void* v, int ldv, void* work, int size, int* info,
                                    gesvdjInfo_t);
    using GesvdjBatchedSize = cusolverStatus_t(cusolverDnHandle_t, cusolverEigMode_t, int m, int n, const void* a,
                                               int lda, const void* s, const void* u, int ldu, const void* v, int ldv,
                                               int* size, gesvdjInfo_t, int batch);
    using GesvdjBatched = cusolverStatus_t(cusolverDnHandle_t, cusolverEigMode_t, int m, int n, void* a, int lda,
                                           void* s, void* u, int ldu, void* v, int ldv, void* work, int size, int* info,
                                           gesvdjInfo_t, int batch);

    decltype(&cusolverDnCreate) create = nullptr;
    decltype(&cusolverDnSetStream) set_stream = nullptr;
    decltype(&cusolverDnCreateParams) create_params = nullptr;
    decltype(&cusolverDnCreateGesvdjInfo) create_gesvdj_info = nullptr;
    decltype(&cusolverDnXgesvdjSetTolerance) set_gesvdj_tolerance = nullptr;
    decltype(&cusolverDnXgesvdjSetMaxSweeps) set_gesvdj_max_sweeps = nullptr;

    decltype(&cusolverDnXpotrf_bufferSize) potrf_size = nullptr;
    decltype(&cusolverDnXpotrf) potrf = nullptr;
    decltype(&cusolverDnXgetrf_bufferSize) getrf_size = nullptr;
    decltype(&cusolverDnXgetrf) getrf = nullptr;
    decltype(&cusolverDnXgetrs) getrs = nullptr;
    decltype(&cusolverDnXgeqrf_bufferSize) geqrf_size = nullptr;
    decltype(&cusolverDnXgeqrf) geqrf = nullptr;
    decltype(&cusolverDnXsyevd_bufferSize) syevd_size = nullptr;
    decltype(&cusolverDnXsyevd) syevd = nullptr;
    decltype(&cusolverDnXsyevBatched_bufferSize) syev_batched_size = nullptr;
    decltype(&cusolverDnXsyevBatched) syev_batched = nullptr;
    decltype(&cusolverDnXgesvd_bufferSize) gesvd_size = nullptr;
    decltype(&cusolverDnXgesvd) gesvd = nullptr;
    decltype(&cusolverDnXgesvdp_bufferSize) gesvdp_size = nullptr;
    decltype(&cusolverDnXgesvdp) gesvdp = nullptr;

    ByType<PotrfBatched> potrf_batched;
    ByType<OrgqrSize> orgqr_size;  ///< of complex numbers: ungqr
    ByType<Orgqr> orgqr;
    ByType<GesvdjSize> gesvdj_size;
    ByType<Gesvdj> gesvdj;
    ByType<GesvdjBatchedSize> gesvdj_batched_size;
    ByType<GesvdjBatched> gesvdj_batched;
};

/// Loads cuSOLVER from the first candidate that works.
/// @throws LibraryNotFound with the list of what was tried, and why each failed.
[[nodiscard]] SolverApi load_solver(const std::vector<std::string>& candidates);

/// The process's cuSOLVER, loaded at the first call. @throws LibraryNotFound as load_solver does, at every call.
[[nodiscard]] const SolverApi& solver();

/// "CUSOLVER_STATUS_INVALID_VALUE: an argument is out of range".
[[nodiscard]] std::string describe(cusolverStatus_t status);

}  // namespace gpu::detail::cuda
