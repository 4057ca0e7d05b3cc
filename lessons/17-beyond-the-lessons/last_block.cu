// SPDX-License-Identifier: MIT
// Adds up an array in one launch of blocks of any size: the block that comes last adds up what all have left.

/// Lesson 8's tree, for a block of any size. All of its threads call it, with a barrier between two calls.
__device__ float sum_of_block(float value) {
    __shared__ float part[1024];
    part[threadIdx.x] = value;
    __syncthreads();
    for (int count = blockDim.x; count > 1;) {
        const int half = (count + 1) / 2;
        if (threadIdx.x + half < count) part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
        count = half;
    }
    return part[0];
}

// [last]
__global__ void sum_in_one_launch(const float* x, float* sums, unsigned* tickets, float* total, int n) {
    __shared__ bool is_last;
    float own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += x[i];
    const float sum = sum_of_block(own);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = sum;
#ifndef WITHOUT_FENCE
        __threadfence();  // the sum is there for all blocks before the ticket is
#endif
        is_last = atomicAdd(tickets, 1) == gridDim.x - 1;
        __threadfence();  // the last block: nothing below is read before its ticket was drawn
    }
    __syncthreads();  // all threads learn whether their block is the last
    if (!is_last) return;

    own = 0;
    for (int k = threadIdx.x; k < gridDim.x; k += blockDim.x) own += sums[k];
    const float all = sum_of_block(own);
    if (threadIdx.x > 0) return;
    *total = all;
    *tickets = 0;  // for the next launch
}
// [/last]
