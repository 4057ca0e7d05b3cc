// SPDX-License-Identifier: MIT
// The sum of two vectors in plain CUDA, with all its checks: nvcc compiles it for a GPU, gpucc for the host backend.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

// [check]
#define CHECK(call)                                                                             \
    do {                                                                                        \
        const cudaError_t error = (call);                                                       \
        if (error != cudaSuccess) {                                                             \
            std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            std::exit(1);                                                                       \
        }                                                                                       \
    } while (0)
// [/check]

// [kernel]
__global__ void add(const float* x, const float* y, float* z, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
// [/kernel]

int main() {
    // [main]
    const int n = 1000;
    const size_t bytes = n * sizeof(float);
    const std::vector<float> h_x(n, 1), h_y(n, 2);
    std::vector<float> h_z(n);
    float *x = nullptr, *y = nullptr, *z = nullptr;
    CHECK(cudaMalloc(&x, bytes));
    CHECK(cudaMalloc(&y, bytes));
    CHECK(cudaMalloc(&z, bytes));
    CHECK(cudaMemcpy(x, h_x.data(), bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(y, h_y.data(), bytes, cudaMemcpyHostToDevice));
    add<<<(n + 255) / 256, 256>>>(x, y, z, n);
    CHECK(cudaGetLastError());  // was the launch refused?
    CHECK(cudaMemcpy(h_z.data(), z, bytes, cudaMemcpyDeviceToHost));  // waits for the kernel; did that fail?
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
    CHECK(cudaFree(z));
    // [/main]
    std::printf("z[0] = %g, z[%d] = %g\n", h_z[0], n - 1, h_z[n - 1]);
}
