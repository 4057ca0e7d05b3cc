// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b `columns` rows of `rows` elements.

__global__ void naive(const float* a, float* b, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (1 line) ----
    const bool inside = row < rows && column < columns;
    if (inside) *(b + column * rows + row) = __ldg(a + row * columns + column);
    // ---- end ----
}

template <int width>
__global__ void tiled(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[32][width];   // one for the 32 x 32 threads of the block; a row has `width` places
    const int x = threadIdx.x, y = threadIdx.y;
    // ---- your code (about 5 lines) ----
    // Loaded into a register, turned at the store into the tile, and kept apart from the early end at the bottom.
    const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
    float value = 0;
    if (row < rows && column < columns) value = a[row * columns + column];
    tile[x][y] = value;
    __syncthreads();
    const int b_row = blockIdx.x * blockDim.x + y, b_column = blockIdx.y * blockDim.y + x;
    if (b_row >= columns || b_column >= rows) return;  // behind the barrier a thread may leave
    b[b_row * rows + b_column] = tile[y][x];
    // ---- end ----
}
