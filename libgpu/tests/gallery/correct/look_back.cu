// SPDX-License-Identifier: MIT
// A running sum over blocks in one pass: each waits for the sum of the one before it, in the order of a ticket.
//
// array: int x[1024] = modulo 5
// array: int sums[16] = uninitialized
// array: int total[16] = zeros, scratch
// array: int ready[16] = zeros, scratch
// array: int ticket[1] = zeros, scratch
// launch: running_sum<<<16, 64>>>(x, sums, total, ready, ticket)
// check: sums = running_block_sums(x, 64)

__global__ void running_sum(const int* x, int* sums, volatile int* total, int* ready, int* ticket) {
    __shared__ int block;
    __shared__ int part;
    if (threadIdx.x == 0) {
        block = atomicAdd(ticket, 1);
        part = 0;
    }
    __syncthreads();
    atomicAdd(&part, x[block * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        int before = 0;
        if (block > 0) {
            while (atomicAdd(&ready[block - 1], 0) == 0) {
            }
            __threadfence();
            before = total[block - 1];
        }
        total[block] = before + part;
        __threadfence();
        atomicExch(&ready[block], 1);
        sums[block] = before + part;
    }
}
