// SPDX-License-Identifier: MIT
// Sum of each block by a tree of neighbours in shared memory; a second launch adds up the blocks' sums.

constexpr int block_size = 128;

__global__ void sum_blocks(const float* x, float* sums, int n) {
    __shared__ float part[block_size];
    int t = threadIdx.x, i = blockIdx.x * block_size + t;
    part[t] = i < n ? x[i] : 0.0f;
    __syncthreads();
    for (int step = 1; step < block_size; step *= 2) {
        if (t % (2 * step) == 0) part[t] += part[t + step];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
}
