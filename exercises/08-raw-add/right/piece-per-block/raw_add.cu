// SPDX-License-Identifier: MIT

// Exercise 8: two kernels. Each thread runs such a function from the top; where it is, it learns from
//
//     threadIdx.x   its number in its block        blockIdx.x   its block's number
//     blockDim.x    the threads of a block         gridDim.x    the blocks of the grid

__global__ void add(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 2 lines) ----
    // A block has a piece of neighbouring elements, and goes through it 256 at a time.
    const int length = (n + gridDim.x - 1) / gridDim.x, first = blockIdx.x * length, last = min(first + length, n);
    for (int i = first + threadIdx.x; i < last; i += blockDim.x) z[i] = x[i] + y[i];
    // ---- end ----
}

__global__ void mul(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 3 lines) ----
    const int length = (n + gridDim.x - 1) / gridDim.x, first = blockIdx.x * length, last = min(first + length, n);
    for (int i = first + threadIdx.x; i < last; i += blockDim.x) z[i] = x[i] * y[i];
    // ---- end ----
}
