// SPDX-License-Identifier: MIT
// Mistake 1: nobody asks whether the kernel was launched.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

__global__ void twice(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

int main() {
    // [main]
    const int n = 4096;
    std::vector<float> h_x(n, 1);
    float* x = nullptr;
    cudaMalloc(&x, n * sizeof(float));
    cudaMemcpy(x, h_x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<2, 2048>>>(x, n);
    cudaMemcpy(h_x.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("x[0] = %g\n", h_x[0]);
    cudaFree(x);
    // [/main]
}
