// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b `columns` rows of `rows` elements.

__global__ void naive(const float* a, float* b, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (1 line) ----
    if (row < rows && column < columns) b[column * rows + row] = a[row * columns + column];   // writes lie far apart
    // ---- end ----
}

template <int width>
__global__ void tiled(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[32][width];   // one for the 32 x 32 threads of the block; a row has `width` places
    const int x = threadIdx.x, y = threadIdx.y;
    // ---- your code (about 5 lines) ----
    // Blocks that run side by side take tiles along a diagonal: their writes spread over the memory's partitions.
    const int block = blockIdx.x + gridDim.x * blockIdx.y;
    const int block_y = block % gridDim.y, block_x = (block / gridDim.y + block_y) % gridDim.x;
    const int column = block_x * 32 + x, row = block_y * 32 + y;
    if (row < rows && column < columns) tile[y][x] = a[row * columns + column];
    __syncthreads();
    const int b_row = block_x * 32 + y, b_column = block_y * 32 + x;
    if (b_row < columns && b_column < rows) b[b_row * rows + b_column] = tile[x][y];
    // ---- end ----
}
