// SPDX-License-Identifier: MIT
// Mistake 5: the grid has 1024 threads, the array 1000 elements, and the kernel no guard.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

__global__ void twice(float* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= 2;
}

int main() {
    const int n = 1000;
    std::vector<float> h_x(n, 1);
    float* x = nullptr;
    cudaMalloc(&x, n * sizeof(float));
    cudaMemcpy(x, h_x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<(n + 255) / 256, 256>>>(x);
    cudaMemcpy(h_x.data(), x, n * sizeof(float), cudaMemcpyDeviceToHost);
    std::printf("x[%d] = %g\n", n - 1, h_x[n - 1]);
    cudaFree(x);
}
