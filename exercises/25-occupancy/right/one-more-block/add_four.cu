// SPDX-License-Identifier: MIT

// Exercise 25: four elements for each thread.

__global__ void add_four(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 9 lines) ----
    const int first = blockIdx.x * 4 * blockDim.x + threadIdx.x;  // a piece of 1024 for each block
    float sum[4];
    for (int k = 0; k < 4; ++k)
        if (first + k * 256 < n) sum[k] = x[first + k * 256] + y[first + k * 256];
    for (int k = 0; k < 4; ++k)
        if (first + k * 256 < n) z[first + k * 256] = sum[k];
    // ---- end ----
}
