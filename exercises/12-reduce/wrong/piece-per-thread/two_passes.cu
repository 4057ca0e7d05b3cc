// SPDX-License-Identifier: MIT

// Exercise 12, part c: sums[b] becomes the sum of what block b has added up. Blocks have 256 threads.

__global__ void sum_blocks(const float* x, float* sums, int n) {
    __shared__ float part[256];
    // ---- your code (about 10 lines) ----
    const int t = threadIdx.x, piece = (n + gridDim.x * blockDim.x - 1) / (gridDim.x * blockDim.x);
    const int first = (blockIdx.x * blockDim.x + t) * piece;
    float sum = 0;
    for (int i = first; i < min(first + piece, n); ++i) sum += x[i];  // the piece of each thread, as on a CPU
    part[t] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];  // a place of its own for each block
    // ---- end ----
}
