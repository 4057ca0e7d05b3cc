// SPDX-License-Identifier: MIT

// Exercise 16: an image convolved with 3 x 3 weights. Beyond its edge lies its nearest pixel.

struct Filter {
    float weight[3][3];
};

// The boundary rule as an index: of places k = -1 to n (or further out), the nearest one that is 0 to n - 1.
__device__ int nearest(int k, int n) {
    // ---- your code (1 line) ----
    // TODO: Clamp k to 0 ... n - 1; min and max are there.
    return k;
    // ---- end ----
}

__global__ void naive(const float* image, float* result, int rows, int columns, Filter filter) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (about 5 lines) ----
    // TODO: One pixel for each thread that has one: the 9 weights times the pixels that exercise.hpp names. nearest()
    //       says where a pixel beyond the edge is read.
    // ---- end ----
}

__global__ void tiled(const float* image, float* result, int rows, int columns, Filter filter) {
    __shared__ float tile[18][18];   // cell (0, 0): the pixel above and to the left of the block's first one
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    // ---- your code (about 9 lines) ----
    // TODO: 1. Load: the block's 256 threads fill the 18 x 18 cells, each one or two of them; nearest() again.
    //       2. All threads of the block wait at one barrier: __syncthreads().
    //       3. Compute and store, as in `naive`, but from the tile: this thread's own pixel is tile[y + 1][x + 1].
    // ---- end ----
}
