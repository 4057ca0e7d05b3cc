// SPDX-License-Identifier: MIT
// printf in kernels, in the order of one thread; an assertion that fails, and the error that stays.
#include <assert.h>
#include <stdio.h>

__global__ void hello(const char* name) {
    if (threadIdx.x == 0) printf("block %d of %d: %s %5.2f %d%%\n", blockIdx.x, gridDim.x, "hello", 1.5 * blockIdx.x, 10);
}
__global__ void holds(int n) { assert(n < 10); }

int main() {
    for (int i = 0; i < 2; ++i) {
        hello<<<1, 4>>>(nullptr);
        cudaDeviceSynchronize();
    }
    holds<<<1, 1>>>(3);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    fflush(stdout);
    holds<<<1, 1>>>(30);
    const cudaError_t error = cudaDeviceSynchronize();
    printf("%d %s\n", error, cudaGetErrorString(error));
    int* memory;
    printf("%s\n", cudaGetErrorName(cudaMalloc(&memory, 4)));
    return 0;
}
