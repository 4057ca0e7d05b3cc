// SPDX-License-Identifier: MIT
// A table in the module has an entry for each of 100 kinds, and there are 101.
//
// array: int kind[128] = modulo 101
// launch: count<<<1, 128>>>(kind, 128)
// finding: out of bounds, line 14, variable counts

__device__ int counts[100];

__global__ void count(const int* kind, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    int k = kind[i];
    atomicAdd(&counts[k], 1);
}
