// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b `columns` rows of `rows` elements.

__global__ void naive(const float* a, float* b, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (1 line) ----
    // TODO: This copies, place by place. Change what is written where, then look at it with make show-10.
    if (row < rows && column < columns) b[row * columns + column] = a[row * columns + column];
    // ---- end ----
}

template <int width>
__global__ void tiled(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[32][width];   // one for the 32 x 32 threads of the block; a row has `width` places
    const int x = threadIdx.x, y = threadIdx.y;
    // ---- your code (about 5 lines) ----
    // TODO: 1. Load: tile[y][x] gets the element of a that this thread had in `naive`, if there is one.
    //       2. All threads of the block, those without an element too, wait at one barrier: __syncthreads().
    //       3. Store: the block's tile lies in b at tile row blockIdx.x and tile column blockIdx.y. x is again the
    //          column, now of b; which place of the tile belongs there? Guard it with the shape of b.
    // ---- end ----
}
