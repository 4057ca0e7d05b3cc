// SPDX-License-Identifier: MIT
// Addresses and streams out: another library works on libgpu's arrays, in libgpu's stream. Here it is cuBLAS.
#ifdef GPU_WITH_CUDA
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

#include "cuda/linear_algebra/blas_api.hpp"

TEST_CASE("cuBLAS works on arrays, in order with what comes before and behind in the stream") {
    if (gpu::Device::current().kind() != gpu::BackendKind::cuda) {
        std::puts("SKIP: an array given to cuBLAS: it works on GPUs, and there is none");
        return;
    }
    // cuBLAS's own functions, opened as libgpu does: cublas.gemm is cublasGemmEx.
    const gpu::detail::cuda::BlasApi& cublas = gpu::detail::cuda::blas();
    const int m = 100, n = 70, k = 50;
    gpu::random::Generator rng(3);
    const gpu::Array<float> a = rng.uniform<float>({m, k}), b = rng.uniform<float>({k, n});
    gpu::Array<float> c = gpu::zeros<float>({m, n});
    gpu::synchronize();
    cublasHandle_t handle = nullptr;
    REQUIRE(cublas.create(&handle) == CUBLAS_STATUS_SUCCESS);
    //! [cublas]
    gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    cublas.set_stream(handle, static_cast<cudaStream_t>(stream.ref().native()));
    const gpu::Array<float> doubled = 2.f * a;  // this stream's first work
    const float one = 1, zero = 0;
    // cuBLAS counts by columns: what is (m, k) by rows is (k, m) to it, so c = a b is asked for as its transpose.
    const cublasStatus_t status =
        cublas.gemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b.data(), CUDA_R_32F, n, doubled.data(),
                    CUDA_R_32F, k, &zero, c.data(), CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    const gpu::Array<float> result = c + 1.f;  // behind cuBLAS's work: nobody waits
    //! [cublas]
    CHECK(status == CUBLAS_STATUS_SUCCESS);
    const std::vector<float> got = gpu::to_host(result), x = gpu::to_host(a), y = gpu::to_host(b);
    CHECK(cublas.destroy(handle) == CUBLAS_STATUS_SUCCESS);
    bool right = true;
    for (int r = 0; r < m; ++r) {
        for (int s = 0; s < n; ++s) {
            double sum = 1;
            for (int j = 0; j < k; ++j) {
                sum += 2.0 * static_cast<double>(x[static_cast<std::size_t>(r * k + j)]) *
                       static_cast<double>(y[static_cast<std::size_t>(j * n + s)]);
            }
            right =
                right && std::abs(static_cast<double>(got[static_cast<std::size_t>(r * n + s)]) - sum) <= 1e-5 * sum;
        }
    }
    CHECK(right);
}
#endif
