// SPDX-License-Identifier: MIT

// Exercise 12, part c: sums[b] becomes the sum of what block b has added up. Blocks have 256 threads.

__global__ void sum_blocks(const float* x, float* sums, int n) {
    __shared__ float part[256];
    // ---- your code (about 10 lines) ----
    // A block has a piece of neighbouring elements, and goes through it 256 at a time.
    const int t = threadIdx.x, length = (n + gridDim.x - 1) / gridDim.x;
    const int first = blockIdx.x * length, last = min(first + length, n);
    float sum = 0;
    for (int i = first + t; i < last; i += 256) sum += x[i];
    part[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
    // ---- end ----
}
