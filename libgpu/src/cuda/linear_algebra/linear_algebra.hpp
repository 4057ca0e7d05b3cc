// SPDX-License-Identifier: MIT
#pragma once

#include <cublas_api.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <cusolverDn.h>

#include "backend/backend.hpp"
#include "backend/linalg.hpp"
#include "cuda/base/library.hpp"
#include "cuda/memory/device_memory.hpp"

// The toolkit's header is used for types only: nothing in libgpu links cuBLAS.
namespace gpu::detail::cuda {

/// The functions of cuBLAS that libgpu calls, looked up on first use.
struct BlasApi {
    using GetrfBatched = cublasStatus_t(cublasHandle_t, int n, void* const* a, int lda, int* pivots, int* info,
                                        int batch);
    using GetrsBatched = cublasStatus_t(cublasHandle_t, cublasOperation_t, int n, int columns, const void* const* a,
                                        int lda, const int* pivots, void* const* b, int ldb, int* info, int batch);
    using Trsm = cublasStatus_t(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t,
                                std::int64_t m, std::int64_t n, const void* alpha, const void* a, std::int64_t lda,
                                void* b, std::int64_t ldb);
    using Trsv = cublasStatus_t(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, std::int64_t n,
                                const void* a, std::int64_t lda, void* x, std::int64_t step);

    decltype(&cublasCreate_v2) create = nullptr;
    decltype(&cublasDestroy_v2) destroy = nullptr;
    decltype(&cublasSetStream_v2) set_stream = nullptr;
    decltype(&cublasSetWorkspace_v2) set_workspace = nullptr;
    decltype(&cublasSetMathMode) set_math_mode = nullptr;
    decltype(&cublasGetStatusName) get_status_name = nullptr;
    decltype(&cublasGetStatusString) get_status_string = nullptr;
    decltype(&cublasGemmEx_64) gemm = nullptr;
    decltype(&cublasGemmStridedBatchedEx_64) gemm_batched = nullptr;
    ByType<GetrfBatched> getrf_batched;
    ByType<GetrsBatched> getrs_batched;
    ByType<Trsm> trsm;
    ByType<Trsv> trsv;
};

/// Loads cuBLAS from the first candidate that works.
/// @throws LibraryNotFound with the list of what was tried, and why each failed.
[[nodiscard]] BlasApi load_blas(const std::vector<std::string>& candidates);

/// The process's cuBLAS, loaded on the first call. @throws LibraryNotFound, as load_blas does, on every call.
[[nodiscard]] const BlasApi& blas();

/// "CUBLAS_STATUS_NOT_SUPPORTED: the functionality requested is not supported".
[[nodiscard]] std::string describe(const BlasApi& api, cublasStatus_t status);

// The toolkit's header is used for types only: nothing in libgpu links cuSOLVER.

/// The functions of cuSOLVER that libgpu calls, looked up on first use.
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
    ByType<OrgqrSize> orgqr_size;  ///< for complex numbers: ungqr
    ByType<Orgqr> orgqr;
    ByType<GesvdjSize> gesvdj_size;
    ByType<Gesvdj> gesvdj;
    ByType<GesvdjBatchedSize> gesvdj_batched_size;
    ByType<GesvdjBatched> gesvdj_batched;
};

/// Loads cuSOLVER from the first candidate that works.
/// @throws LibraryNotFound with the list of what was tried, and why each failed.
[[nodiscard]] SolverApi load_solver(const std::vector<std::string>& candidates);

/// The process's cuSOLVER, loaded on the first call. @throws LibraryNotFound, as load_solver does, on every call.
[[nodiscard]] const SolverApi& solver();

/// "CUSOLVER_STATUS_INVALID_VALUE: an argument is out of range".
[[nodiscard]] std::string describe(cusolverStatus_t status);

/// What linear algebra needs from the process. Tests substitute libraries of their own and the host's memory.
class LinearAlgebraBase {
public:
    virtual ~LinearAlgebraBase() = default;

    /// Copies, fills, waits, compiles and launches.
    [[nodiscard]] virtual Backend& backend() = 0;
    /// @throws LibraryNotFound
    [[nodiscard]] virtual const BlasApi& blas() = 0;
    [[nodiscard]] virtual const SolverApi& solver() = 0;

    /// Makes the device the thread's current one: handles are created on it, and calls go to it.
    virtual void use_device(int device) = 0;
    /// Memory used in this stream only. @throws OutOfMemory
    [[nodiscard]] virtual void* allocate(int device, std::size_t bytes, void* stream) = 0;
    virtual void deallocate(int device, void* data, std::size_t bytes, void* stream) noexcept = 0;
    /// The same for cuBLAS's workspace, which the device may keep for the next call.
    [[nodiscard]] virtual void* take_workspace(int device, std::size_t bytes, void* stream) = 0;
    virtual void give_workspace(int device, void* data, std::size_t bytes, void* stream) noexcept = 0;
    /// With LIBGPU_LAUNCH_BLOCKING=1, waits for the call just issued. @throws LaunchError if it failed
    virtual void wait_if_blocking(void* stream) = 0;
    /// The workspace that cuBLAS should have on this device, in bytes.
    [[nodiscard]] virtual std::size_t blas_workspace(int device) = 0;
    /// The maximum shared memory that a block of this device can request.
    [[nodiscard]] virtual std::size_t block_memory(int device) = 0;
};

/// Linear algebra with cuBLAS and cuSOLVER, and with libgpu's own kernels for integer products.
[[nodiscard]] std::unique_ptr<LinearAlgebra> make_linear_algebra(std::unique_ptr<LinearAlgebraBase> base);

/// Looks the method up in a table of measurements.
[[nodiscard]] SvdPlan fastest_svd_plan(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n,
                                       SvdVectors vectors) noexcept;

/// This process's cuBLAS and cuSOLVER, over the backend and its memory. Both must live as long.
[[nodiscard]] std::unique_ptr<LinearAlgebraBase> make_math_libraries(Backend& backend, DeviceMemory& memory,
                                                                     bool blocking);

}  // namespace gpu::detail::cuda
