// SPDX-License-Identifier: MIT
// A sum in shared memory; see vector_sum.cu.
#include <cstdio>
#include <vector>

#ifndef FAULT
#define FAULT 0
#endif

__global__ void sum(const int* in, int n, int* result) {
    extern __shared__ int values[];
    const int tid = threadIdx.x, i = blockIdx.x * blockDim.x + tid;
    if (FAULT != 1 || i < n)
        values[tid] = i < n ? in[i] : 0;  // fault 2: out of bounds
    if (FAULT != 3) __syncthreads();
    for (int width = blockDim.x / 2; width > (FAULT == 4 ? 16 : 0); width /= 2) {
        if (FAULT == 5 || tid < width)
            // fault 1: uninit, fault 3: no barrier, fault 5: out of bounds, fault 6: no barrier,
            // fault 11: __syncwarp()
            values[tid] += values[tid + width];
        if (FAULT == 7) {
            if (tid < width) __syncthreads();  // fault 7: __syncthreads
        } else if (FAULT != 6 && (FAULT != 11 || width > 32)) {
            __syncthreads();
        }
    }
    if (FAULT == 7) __syncthreads();
    if (FAULT == 4 && tid < 16)
        for (int width = 16; width > 0; width /= 2) values[tid] += values[tid + width];  // fault 4: __syncwarp()
    if (FAULT == 8) {
        if (tid == 0) *result += values[0];  // fault 8: lost update
    } else if (tid == 0) {
        atomicAdd(result, values[0]);  // fault 9: uninit
    }
}

int main() {
    const int n = 1000, block = 128;
    std::vector<int> host(n, 1);
    int *in, *result, found = 0;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&result, sizeof(int));
    cudaMemcpy(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    if (FAULT != 9) cudaMemset(result, 0, sizeof(int));
    const size_t shared = FAULT == 2 ? block : FAULT == 10 ? 300 * 1024 : block * sizeof(int);
    sum<<<(n + block - 1) / block, block, shared>>>(in, n, result);  // fault 10: never launched + shared
    cudaMemcpy(&found, result, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", found);
    cudaFree(in);
    cudaFree(result);
    return 0;
}
