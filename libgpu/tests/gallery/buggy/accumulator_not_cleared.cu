// SPDX-License-Identifier: MIT
// Shared memory isn't zero at the start: the sum begins with whatever was there.
//
// array: int x[256] = ones
// array: int total[1] = uninitialized
// launch: sum<<<1, 256>>>(x, total)
// finding: uninitialized read, line 11, variable sum_of_block

__global__ void sum(const int* x, int* total) {
    __shared__ int sum_of_block;
    atomicAdd(&sum_of_block, x[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) *total = sum_of_block;
}
