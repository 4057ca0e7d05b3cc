// SPDX-License-Identifier: MIT
// The product of two matrices by cuBLAS, for docs/from-libgpu-to-cuda.md; matmul.cpp prints the same by libgpu.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

int main() {
    const int rows = 2, inner = 3, columns = 4;
    std::vector<float> h_a(rows * inner), h_b(inner * columns), h_c(rows * columns);
    for (int i = 0; i < rows * inner; ++i) h_a[i] = static_cast<float>(i);
    for (int i = 0; i < inner * columns; ++i) h_b[i] = static_cast<float>(i % 5);
    float *a = nullptr, *b = nullptr, *c = nullptr;
    cudaMalloc(&a, h_a.size() * sizeof(float));
    cudaMalloc(&b, h_b.size() * sizeof(float));
    cudaMalloc(&c, h_c.size() * sizeof(float));
    cudaMemcpy(a, h_a.data(), h_a.size() * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(b, h_b.data(), h_b.size() * sizeof(float), cudaMemcpyHostToDevice);
    cublasHandle_t handle;
    const float one = 1, zero = 0;
    bool is_right = cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS;
    // cuBLAS' matrices are column-major: the transposes of these, so that c' = b' a'.
    is_right = is_right && cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, columns, rows, inner, &one, b, columns, a,
                                       inner, &zero, c, columns) == CUBLAS_STATUS_SUCCESS;
    cudaMemcpy(h_c.data(), c, h_c.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (const float value : h_c) std::printf("%g ", value);
    std::printf("%s\n", is_right ? "done" : "failed");
    cublasDestroy(handle);
    for (float* const one_array : {a, b, c}) cudaFree(one_array);
}
