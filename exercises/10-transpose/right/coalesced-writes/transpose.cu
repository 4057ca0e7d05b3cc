// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b `columns` rows of `rows` elements.

__global__ void naive(const float* a, float* b, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (1 line) ----
    // x is the column of b: here the writes are neighbours, and the reads lie far apart.
    const int b_row = blockIdx.x * blockDim.x + threadIdx.y, b_column = blockIdx.y * blockDim.y + threadIdx.x;
    if (b_row < columns && b_column < rows) b[b_row * rows + b_column] = a[b_column * columns + b_row];
    // ---- end ----
}

template <int width>
__global__ void tiled(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[32][width];   // one for the 32 x 32 threads of the block; a row has `width` places
    const int x = threadIdx.x, y = threadIdx.y;
    // ---- your code (about 5 lines) ----
    int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    tile[y][x] = row < rows && column < columns ? a[row * columns + column] : 0.0f;  // no place is left unset
    __syncthreads();
    column = blockIdx.y * 32 + x;
    row = blockIdx.x * 32 + y;
    if (column < rows && row < columns) b[row * rows + column] = tile[x][y];
    // ---- end ----
}
