// SPDX-License-Identifier: MIT

// Exercise 8: two kernels. Each thread runs such a function from the top; where it is, it learns from
//
//     threadIdx.x   its number in its block        blockIdx.x   its block's number
//     blockDim.x    the threads of a block         gridDim.x    the blocks of the grid

__global__ void add(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 2 lines) ----
    const int first = blockIdx.x * 1024 + threadIdx.x;
    float sums[4];  // all loads are under way before the first store
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (first + 256 * k < n) sums[k] = x[first + 256 * k] + y[first + 256 * k];
#pragma unroll
    for (int k = 0; k < 4; ++k)
        if (first + 256 * k < n) z[first + 256 * k] = sums[k];
    // ---- end ----
}

__global__ void mul(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 3 lines) ----
    const int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * stride < n; i += 4 * stride) {
#pragma unroll
        for (int k = 0; k < 4; ++k) z[i + k * stride] = x[i + k * stride] * y[i + k * stride];
    }
    for (; i < n; i += stride) z[i] = x[i] * y[i];
    // ---- end ----
}
