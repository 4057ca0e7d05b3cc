// SPDX-License-Identifier: MIT
// Mistake 3: the host uses an address of the device.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void fill(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = 2;
}

int main() {
    const int n = 1000;
    float* x = nullptr;
    cudaMalloc(&x, n * sizeof(float));
    fill<<<(n + 255) / 256, 256>>>(x, n);
    cudaDeviceSynchronize();
    std::printf("x[0] = %g\n", x[0]);
    cudaFree(x);
}
