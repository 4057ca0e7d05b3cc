// SPDX-License-Identifier: MIT
// Each block clears its own total, waits, and adds to it by atomics.
//
// array: int x[512] = modulo 7
// array: int totals[8] = uninitialized
// launch: sum<<<8, 64>>>(x, totals)
// check: totals = block_sums(x, 64)

__global__ void sum(const int* x, int* totals) {
    if (threadIdx.x == 0) totals[blockIdx.x] = 0;
    __syncthreads();
    atomicAdd(&totals[blockIdx.x], x[blockIdx.x * blockDim.x + threadIdx.x]);
}
