// SPDX-License-Identifier: MIT
// cuBLAS on libgpu's arrays, in libgpu's stream. It works on GPUs; without one, gpu::matmul gives the same product.
#include <cstdio>

#include <gpu/gpu.hpp>
#ifdef WITH_CUBLAS
#include <cublas_v2.h>
#endif

constexpr int m = 100, n = 70, k = 50;

#ifdef WITH_CUBLAS
static gpu::Array<float> by_cublas(const gpu::Array<float>& a, const gpu::Array<float>& b) {
    gpu::Array<float> c = gpu::zeros<float>({m, n});
    cublasHandle_t handle = nullptr;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) throw gpu::Error("cublasCreate failed");
    // [cublas]
    const gpu::Stream stream;
    const gpu::StreamGuard guard(stream);
    cublasSetStream(handle, static_cast<cudaStream_t>(stream.ref().native()));
    const gpu::Array<float> doubled = 2.f * a;  // this stream's first work
    const float one = 1, zero = 0;
    // cuBLAS counts by columns: what is m x k by rows is k x m to it. So it is asked for the transpose, b' a'.
    const cublasStatus_t status = cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b.data(), n,
                                              doubled.data(), k, &zero, c.data(), n);
    gpu::Array<float> result = c + 1.f;  // behind cuBLAS's work: nobody waits
    // [/cublas]
    cublasDestroy(handle);
    if (status != CUBLAS_STATUS_SUCCESS) throw gpu::Error("cublasSgemm failed");
    return result;
}
#endif

int main() {
    gpu::random::Generator rng(3);
    const gpu::Array<float> a = rng.uniform<float>({m, k}), b = rng.uniform<float>({k, n});
    const gpu::Array<float> expected = gpu::matmul(2.f * a, b) + 1.f;
#ifdef WITH_CUBLAS
    if (gpu::Device::current().kind() == gpu::BackendKind::cuda) {
        const bool right = gpu::allclose(by_cublas(a, b), expected, {.rtol = 1e-5}).item();
        std::printf("cuBLAS: %s\n", right ? "right" : "wrong");
        return right ? 0 : 1;
    }
#endif
    std::printf("No GPU, so no cuBLAS: gpu::matmul computed the %d x %d product.\n", int(expected.shape()[0]),
                int(expected.shape()[1]));
}
