// SPDX-License-Identifier: MIT
// Mistake 4: nobody waits for the kernel. The copy is in another stream, and the host waits for that one.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void slow(float* x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < 2000; ++k) sum += 0.001f;
    if (i < n) x[i] = sum;
}

int main() {
    // [main]
    const int n = 1 << 16;
    float *x = nullptr, *h_x = nullptr;
    cudaMalloc(&x, n * sizeof(float));
    cudaMallocHost(&h_x, n * sizeof(float));
    cudaMemset(x, 0, n * sizeof(float));
    cudaStream_t work, copies;
    cudaStreamCreate(&work);
    cudaStreamCreate(&copies);
    slow<<<n / 256, 256, 0, work>>>(x, n);
    cudaMemcpyAsync(h_x, x, n * sizeof(float), cudaMemcpyDeviceToHost, copies);
    cudaStreamSynchronize(copies);
    std::printf("x[%d] = %.3f\n", n - 1, h_x[n - 1]);
    cudaStreamDestroy(work);
    cudaStreamDestroy(copies);
    cudaFreeHost(h_x);
    cudaFree(x);
    // [/main]
}
