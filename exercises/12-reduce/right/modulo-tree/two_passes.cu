// SPDX-License-Identifier: MIT

// Exercise 12, part c: sums[b] becomes the sum of what block b has added up. Blocks have 256 threads.

__global__ void sum_blocks(const float* x, float* sums, int n) {
    __shared__ float part[256];
    // ---- your code (about 10 lines) ----
    // A loop that walks down from the last element, and a tree that adds four at a time: four rounds of it.
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = n - 1 - (blockIdx.x * 256 + t); i >= 0; i -= 256 * gridDim.x) sum += x[i];
    part[t] = sum;
    for (int quarter = 64; quarter > 0; quarter /= 4) {
        __syncthreads();  // at the head of the round
        if (t < quarter) part[t] += part[t + quarter] + part[t + 2 * quarter] + part[t + 3 * quarter];
    }
    if (t == 0) sums[blockIdx.x] = part[0];
    // ---- end ----
}
