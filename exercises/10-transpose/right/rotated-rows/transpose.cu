// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b `columns` rows of `rows` elements.

__global__ void naive(const float* a, float* b, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (1 line) ----
    const unsigned from = row * columns + column, to = column * rows + row;
    if (row < rows && column < columns) b[to] = a[from];
    // ---- end ----
}

template <int width>
__global__ void tiled(const float* a, float* b, int rows, int columns) {
    __shared__ float tile[32][width];   // one for the 32 x 32 threads of the block; a row has `width` places
    const int x = threadIdx.x, y = threadIdx.y;
    // ---- your code (about 5 lines) ----
    // Row y of the tile is rotated by y places, and by half of its length where the width itself moves on by 16 banks.
    const auto place = [](int r, int c) { return (c + r + (width % 32) * r) % 32; };
    const int column = blockIdx.x * 32 + x, row = blockIdx.y * 32 + y;
    if (row < rows && column < columns) tile[y][place(y, x)] = a[row * columns + column];
    __syncthreads();
    const int b_row = blockIdx.x * 32 + y, b_column = blockIdx.y * 32 + x;
    if (b_row < columns && b_column < rows) b[b_row * rows + b_column] = tile[x][place(x, y)];
    // ---- end ----
}
