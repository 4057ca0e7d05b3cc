// SPDX-License-Identifier: MIT

// Exercise 8: two kernels. Each thread runs such a function from the top; where it is, it learns from
//
//     threadIdx.x   its number in its block        blockIdx.x   its block's number
//     blockDim.x    the threads of a block         gridDim.x    the blocks of the grid

__global__ void add(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 2 lines) ----
    // TODO: Compute the number of this thread in the whole grid, i. If there is an element i, add.
    // ---- end ----
}

__global__ void mul(const float* x, const float* y, float* z, int n) {
    // ---- your code (about 3 lines) ----
    // TODO: Now the grid may be smaller than n. Each thread takes element i, then goes on by as many elements as the
    //       grid has threads, as long as there are any: a grid-stride loop.
    // ---- end ----
}
