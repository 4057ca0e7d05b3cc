// SPDX-License-Identifier: MIT

// Exercise 9: two kernels on tables. x is the column, y the row; row-major: the elements of a row are neighbours.

__global__ void fill(int* a, int rows, int columns) {
    // ---- your code (about 4 lines) ----
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= rows || column >= columns) return;    // outside in one direction is outside
    a[row * columns + column] = 1000 * row + column;
    // ---- end ----
}

__global__ void column_sums(const float* a, float* sums, int rows, int columns) {
    // ---- your code (about 5 lines) ----
    // lazy: one warp of the block adds up all its 256 columns; the other seven leave
    if (threadIdx.x >= 32) return;
    for (int c = blockIdx.x * 256 + threadIdx.x; c < min(columns, int(blockIdx.x + 1) * 256); c += 32) {
        float sum = 0;
        for (int row = 0; row < rows; ++row) sum += a[row * columns + c];
        sums[c] = sum;
    }
    // ---- end ----
}
