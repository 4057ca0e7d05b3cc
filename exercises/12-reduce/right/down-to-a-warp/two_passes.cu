// SPDX-License-Identifier: MIT

// Exercise 12, part c: sums[b] becomes the sum of what block b has added up. Blocks have 256 threads.

__global__ void sum_blocks(const float* x, float* sums, int n) {
    __shared__ float part[256];
    // ---- your code (about 10 lines) ----
    const int t = threadIdx.x, stride = gridDim.x * blockDim.x;
    float sum = 0;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += stride) sum += x[i];  // a register: no barrier yet
    part[t] = sum;
    __syncthreads();
    for (int half = 128; half >= 32; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t < 32) {  // the first warp alone: from here on its lanes hand on what they have
        sum = part[t];
        for (int hop = 16; hop > 0; hop /= 2) sum += __shfl_down_sync(0xffffffff, sum, hop);
        if (t == 0) sums[blockIdx.x] = sum;
    }
    // ---- end ----
}
