// SPDX-License-Identifier: MIT

// Exercise 12, part c: sums[b] becomes the sum of what block b has added up. Blocks have 256 threads.

__global__ void sum_blocks(const float* x, float* sums, int n) {
    __shared__ float part[256];
    // ---- your code (about 10 lines) ----
    // TODO: 1. A grid-stride loop: this thread adds up its elements of x in a variable of its own.
    //       2. That goes into part[threadIdx.x]; then the tree of part b.
    //       3. One thread writes the block's sum to sums[blockIdx.x]. No other block writes there: no atomicAdd.
    // ---- end ----
}
