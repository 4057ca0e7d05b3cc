// SPDX-License-Identifier: MIT
#include "cuda/linear_algebra/blas_api.hpp"

#include <mutex>

#include "cuda/base/toolkit.hpp"

namespace gpu::detail::cuda {

namespace {

static_assert(Matches<decltype(cublasSgetrfBatched), BlasApi::GetrfBatched>::value);
static_assert(Matches<decltype(cublasZgetrsBatched), BlasApi::GetrsBatched>::value);

}  // namespace

BlasApi load_blas(const std::vector<std::string>& candidates) {
    BlasApi api;
    open_library(candidates,
                 "cuBLAS, which multiplies matrices on the GPU, was not found. Set LIBGPU_CUBLAS to the path of "
                 "libcublas.so." +
                     std::to_string(toolkit_major()) + ".",
                 [&](void* library) {
                     look_up(library, "cublasCreate_v2", api.create);
                     look_up(library, "cublasDestroy_v2", api.destroy);
                     look_up(library, "cublasSetStream_v2", api.set_stream);
                     look_up(library, "cublasSetWorkspace_v2", api.set_workspace);
                     look_up(library, "cublasSetMathMode", api.set_math_mode);
                     look_up(library, "cublasGetStatusName", api.get_status_name);
                     look_up(library, "cublasGetStatusString", api.get_status_string);
                     look_up(library, "cublasGemmEx_64", api.gemm);
                     look_up(library, "cublasGemmStridedBatchedEx_64", api.gemm_batched);
                     look_up(library, "cublas", "getrfBatched", api.getrf_batched);
                     look_up(library, "cublas", "getrsBatched", api.getrs_batched);
                 });
    return api;
}

const BlasApi& blas() {
    static std::mutex mutex;
    static const BlasApi* api = nullptr;  // leaked with the library
    const std::lock_guard lock(mutex);
    if (!api) {
        api = new BlasApi(
            load_blas(library_candidates("libcublas", "LIBGPU_CUBLAS", {toolkit_major(), toolkit_major() - 1})));
    }
    return *api;
}

std::string describe(const BlasApi& api, cublasStatus_t status) {
    return std::string(api.get_status_name(status)) + ": " + api.get_status_string(status);
}

}  // namespace gpu::detail::cuda
