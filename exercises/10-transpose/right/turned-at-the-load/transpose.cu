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
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    if (row < rows && column < columns) tile[x][y] = a[row * columns + column];   // turned when it is stored
    __syncthreads();
    const int b_row = blockIdx.x * 32 + y, b_column = blockIdx.y * 32 + x;
    if (b_row < columns && b_column < rows) b[b_row * rows + b_column] = tile[y][x];
    // ---- end ----
}
