// SPDX-License-Identifier: MIT
// Atomics of block scope where they suffice: each block has a total of its own.
//
// array: int x[512] = modulo 7
// array: int totals[8] = zeros
// launch: sum<<<8, 64>>>(x, totals)
// check: totals = block_sums(x, 64)

__global__ void sum(const int* x, int* totals) {
    atomicAdd_block(&totals[blockIdx.x], x[blockIdx.x * blockDim.x + threadIdx.x]);
}
