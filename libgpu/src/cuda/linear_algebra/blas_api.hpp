// SPDX-License-Identifier: MIT
#pragma once

// The toolkit's header gives types alone: nothing of libgpu links cuBLAS.
#include <cublas_api.h>

#include <string>
#include <vector>

#include "cuda/base/typed_functions.hpp"

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

}  // namespace gpu::detail::cuda
