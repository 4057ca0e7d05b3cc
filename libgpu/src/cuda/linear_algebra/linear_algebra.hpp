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

// The toolkit's header gives types alone: nothing of libgpu links cuBLAS.
namespace gpu::detail::cuda {

/// The functions of cuBLAS that libgpu calls, looked up when the first of them is needed.
struct BlasApi {
    using GetrfBatched = cublasStatus_t(cublasHandle_t, int n, void* const* a, int lda, int* pivots, int* info,
                                        int batch);
    using GetrsBatched = cublasStatus_t(cublasHandle_t, cublasOperation_t, int n, int columns, const void* const* a,
                                        int lda, const int* pivots, void* const* b, int ldb, int* info, int batch);

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
};

/// Loads cuBLAS from the first candidate that works.
/// @throws LibraryNotFound with the list of what was tried, and why each failed.
[[nodiscard]] BlasApi load_blas(const std::vector<std::string>& candidates);

/// The process's cuBLAS, loaded at the first call. @throws LibraryNotFound as load_blas does, at every call.
[[nodiscard]] const BlasApi& blas();

/// "CUBLAS_STATUS_NOT_SUPPORTED: the functionality requested is not supported".
[[nodiscard]] std::string describe(const BlasApi& api, cublasStatus_t status);

// The toolkit's header gives types alone: nothing of libgpu links cuSOLVER.

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

/// What linear algebra stands on. Tests put libraries of their own and the host's memory here.
class LinearAlgebraBase {
public:
    virtual ~LinearAlgebraBase() = default;

    /// Copies, fills, waits, compiles and launches.
    [[nodiscard]] virtual Backend& backend() = 0;
    /// @throws LibraryNotFound
    [[nodiscard]] virtual const BlasApi& blas() = 0;
    [[nodiscard]] virtual const SolverApi& solver() = 0;

    /// Makes the device the thread's current one: handles are made on it, and calls go to it.
    virtual void use_device(int device) = 0;
    /// Memory that is used in this stream alone. @throws OutOfMemory
    [[nodiscard]] virtual void* allocate(int device, std::size_t bytes, void* stream) = 0;
    virtual void deallocate(int device, void* data, std::size_t bytes, void* stream) noexcept = 0;
    /// The same for cuBLAS's workspace, which the device may keep from one call to the next.
    [[nodiscard]] virtual void* take_workspace(int device, std::size_t bytes, void* stream) = 0;
    virtual void give_workspace(int device, void* data, std::size_t bytes, void* stream) noexcept = 0;
    /// With LIBGPU_LAUNCH_BLOCKING=1 waits for what was just begun. @throws LaunchError with what became of it
    virtual void wait_if_blocking(void* stream) = 0;
    /// Bytes of workspace that cuBLAS likes to have on this device.
    [[nodiscard]] virtual std::size_t blas_workspace(int device) = 0;
    /// The most shared memory that a block of this device can ask for.
    [[nodiscard]] virtual std::size_t block_memory(int device) = 0;
};

/// Linear algebra by cuBLAS and cuSOLVER, and by kernels of libgpu's own for products of integers.
[[nodiscard]] std::unique_ptr<LinearAlgebra> make_linear_algebra(std::unique_ptr<LinearAlgebraBase> base);

/// From a table of what was measured.
[[nodiscard]] SvdPlan fastest_svd_plan(DType dtype, std::int64_t batch, std::int64_t m, std::int64_t n,
                                       SvdVectors vectors) noexcept;

/// This process's cuBLAS and cuSOLVER, over the backend and its memory. Both must live as long.
[[nodiscard]] std::unique_ptr<LinearAlgebraBase> make_math_libraries(Backend& backend, DeviceMemory& memory,
                                                                     bool blocking);

}  // namespace gpu::detail::cuda
