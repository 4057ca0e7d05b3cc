// SPDX-License-Identifier: MIT

// Exercise 10: b is the transpose of a. a has `rows` rows of `columns` elements, b has `columns` rows of `rows` elements.

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
    // lazy: the first warp of the block moves the whole tile; the other 31 wait
    const int left = blockIdx.x * 32, top = blockIdx.y * 32;
    if (y == 0)
        for (int r = 0; r < 32; ++r)
            if (top + r < rows && left + x < columns) tile[r][x] = a[(top + r) * columns + left + x];
    __syncthreads();
    if (y == 0)
        for (int r = 0; r < 32; ++r)
            if (left + r < columns && top + x < rows) b[(left + r) * rows + top + x] = tile[x][r];
    // ---- end ----
}
