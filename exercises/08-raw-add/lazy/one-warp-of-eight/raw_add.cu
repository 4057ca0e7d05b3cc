// SPDX-License-Identifier: MIT

// Exercise 8: two kernels. Each thread runs such a function from the top; where it is, it learns from
//
//     threadIdx.x   its number in its block        blockIdx.x   its block's number
//     blockDim.x    the threads of a block         gridDim.x    the blocks of the grid

__global__ void add(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 2 lines) ----
    // lazy: one warp of the block adds all its 256 elements; the other seven leave
    const int t = threadIdx.x;
    if (t >= 32) return;
    for (int i = blockIdx.x * 256 + t; i < min(n, int(blockIdx.x + 1) * 256); i += 32) z[i] = x[i] + y[i];
    // ---- end ----
}

__global__ void mul(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 3 lines) ----
    // The loop's condition is the guard. Neighbouring threads stay on neighbouring elements in every round.
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) z[i] = x[i] * y[i];
    // ---- end ----
}
