// SPDX-License-Identifier: MIT
// A barrier for the whole grid, made of one counter: each block adds 1 and waits until all have, in every round. All
// blocks must be able to run at once.

constexpr int block_size = 32;

__device__ void wait_for_all(unsigned* arrived, unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(arrived, 1u);
        while (atomicAdd(arrived, 0u) < (round + 1) * gridDim.x) {
        }
        __threadfence();
    }
    __syncthreads();
}

// Each round adds the neighbour at a doubled distance: a scan over all blocks.
__global__ void scan(int* x, int* y, unsigned* arrived, int n) {
    int i = blockIdx.x * block_size + threadIdx.x;
    unsigned round = 0;
    for (int distance = 1; distance < n; distance *= 2) {
        if (i < n) y[i] = x[i] + (i >= distance ? x[i - distance] : 0);
        wait_for_all(arrived, round++);
        int* other = x;
        x = y;
        y = other;
    }
}
