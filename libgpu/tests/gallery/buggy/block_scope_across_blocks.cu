// SPDX-License-Identifier: MIT
// An atomic of block scope is atomic among the threads of one block; here all blocks add to one total.
//
// array: int x[512] = ones
// array: int total[1] = zeros
// launch: sum<<<8, 64>>>(x, total)
// finding: inter-block race, line 10, variable total

__global__ void sum(const int* x, int* total) {
    atomicAdd_block(total, x[blockIdx.x * blockDim.x + threadIdx.x]);
}
