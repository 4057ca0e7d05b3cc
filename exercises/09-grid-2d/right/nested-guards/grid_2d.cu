// SPDX-License-Identifier: MIT

// Exercise 9: two kernels on tables. x is the column, y the row; row-major: the elements of a row are neighbours.

__global__ void fill(int* a, int rows, int columns) {
    // ---- your code (about 4 lines) ----
    unsigned column = threadIdx.x + 32 * blockIdx.x;
    unsigned row = threadIdx.y + 8 * blockIdx.y;
    if (row < rows) {
        if (column < columns) {
            unsigned index = row * columns + column;
            a[index] = row * 1000 + column;
        }
    }
    // ---- end ----
}

__global__ void column_sums(const float* a, float* sums, int rows, int columns) {
    // ---- your code (about 5 lines) ----
    const int column = blockDim.x * blockIdx.x + threadIdx.x;
    if (column < columns) {
        float sum = a[column];
        for (int row = 1; row < rows; row++) sum = sum + a[columns * row + column];
        sums[column] = sum;
    }
    // ---- end ----
}
