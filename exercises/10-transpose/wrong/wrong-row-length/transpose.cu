// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b has `columns` rows of `rows` elements.

__global__ void naive(const float* a, float* b, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (1 line) ----
    if (row < rows && column < columns) b[column * columns + row] = a[row * columns + column];
    // ---- end ----
}

template <int width>
__global__ void tiled(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[32][width];   // one for the 32 x 32 threads of the block; a row has `width` places
    const int x = threadIdx.x, y = threadIdx.y;
    // ---- your code (about 5 lines) ----
    const int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    if (row < rows && column < columns) tile[y][x] = a[row * columns + column];
    __syncthreads();
    const int c = blockIdx.y * 32 + x, r = blockIdx.x * 32 + y;
    if (r < columns && c < rows) b[r * rows + c] = tile[x][y];
    // ---- end ----
}
