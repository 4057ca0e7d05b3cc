// SPDX-License-Identifier: MIT
// Histogram with an atomic per element in global memory.

__global__ void count(const int* x, int* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[x[i]], 1);
}
