// SPDX-License-Identifier: MIT

// Exercise 9: two kernels on tables. x is the column, y the row; row-major: the elements of a row are neighbours.

__global__ void fill(int* a, int rows, int columns) {
    // ---- your code (about 4 lines) ----
    // The blocks stand in one row; which tile of 32 x 8 a block has, a division says.
    const int tiles_x = (columns + 31) / 32;
    const int column = blockIdx.x % tiles_x * 32 + threadIdx.x;
    const int row = blockIdx.x / tiles_x * 8 + threadIdx.y;
    if (row >= rows || column >= columns) return;
    a[row * columns + column] = 1000 * row + column;
    // ---- end ----
}

__global__ void column_sums(const float* a, float* sums, int rows, int columns) {
    // ---- your code (about 5 lines) ----
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0;
    for (int row = rows - 1; row >= 0; --row) sum += a[row * columns + column];  // from the last row up
    sums[column] = sum;
    // ---- end ----
}
