// SPDX-License-Identifier: MIT

// Exercise 12, part c: sums[b] becomes the sum of what block b has added up. Blocks have 256 threads.

__global__ void sum_blocks(const float* x, float* sums, int n) {
    __shared__ float part[256];
    // ---- your code (about 10 lines) ----
    const int t = threadIdx.x, stride = gridDim.x * blockDim.x;
    float sum = 0, lost = 0;  // Kahan: what an addition has rounded off goes into the next one
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += stride) {
        const float y = __fsub_rn(x[i], lost), s = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(s, sum), y);
        sum = s;
    }
    part[t] = sum;
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        if ((t & (2 * apart - 1)) == 0) part[t] += part[t + apart];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];
    // ---- end ----
}
