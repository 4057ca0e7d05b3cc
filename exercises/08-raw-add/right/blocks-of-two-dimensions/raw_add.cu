// SPDX-License-Identifier: MIT

// Exercise 8: two kernels. Each thread runs such a function from the top; where it is, it learns from
//
//     threadIdx.x   its number in its block        blockIdx.x   its block's number
//     blockDim.x    the threads of a block         gridDim.x    the blocks of the grid

__global__ void add(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 2 lines) ----
    const int t = threadIdx.y * blockDim.x + threadIdx.x;  // x counts fastest, as in a warp
    const int i = blockIdx.x * (blockDim.x * blockDim.y) + t;
    if (i < n) z[i] = x[i] + y[i];
    // ---- end ----
}

__global__ void mul(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 3 lines) ----
    const int per_block = blockDim.x * blockDim.y;
    for (int i = blockIdx.x * per_block + threadIdx.y * blockDim.x + threadIdx.x; i < n; i += gridDim.x * per_block)
        z[i] = x[i] * y[i];
    // ---- end ----
}
