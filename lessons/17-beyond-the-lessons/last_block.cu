// SPDX-License-Identifier: MIT
// Adds up an array in one launch of blocks of one warp: the block that comes last adds up what all have left.

// [last]
__global__ void sum_in_one_launch(const float* x, float* sums, unsigned* tickets, float* total, int n) {
    float sum = 0;
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += gridDim.x * 32) sum += x[i];
    for (int hop = 16; hop > 0; hop /= 2) sum += __shfl_down_sync(0xffffffff, sum, hop);
    if (threadIdx.x > 0) return;

    sums[blockIdx.x] = sum;
#ifndef WITHOUT_FENCE
    __threadfence();  // the sum is there for all blocks before the ticket is
#endif
    if (atomicAdd(tickets, 1) < gridDim.x - 1) return;

    __threadfence();  // the last block: nothing below is read before its ticket was drawn
    float all = 0;
    for (int k = 0; k < gridDim.x; ++k) all += static_cast<volatile float*>(sums)[k];
    *total = all;
}
// [/last]
