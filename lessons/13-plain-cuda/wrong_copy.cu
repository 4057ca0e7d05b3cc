// SPDX-License-Identifier: MIT
// Mistake 2: one copy has too few bytes, as n is a number of elements; the other one goes the wrong way.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

__global__ void twice(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= 2;
}

int main() {
    // [main]
    const int n = 1000;
    std::vector<float> h_x(n, 1);
    float* x = nullptr;
    cudaMalloc(&x, n * sizeof(float));
    cudaMemcpy(x, h_x.data(), n, cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(x, n);
    cudaMemcpy(h_x.data(), x, n * sizeof(float), cudaMemcpyHostToDevice);
    std::printf("x[0] = %g, x[%d] = %g\n", h_x[0], n - 1, h_x[n - 1]);
    cudaFree(x);
    // [/main]
}
