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
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;  // four additions under way at a time
    int row = 0;
    for (; row + 4 <= rows; row += 4) {
        sum0 += a[(row + 0) * columns + column];
        sum1 += a[(row + 1) * columns + column];
        sum2 += a[(row + 2) * columns + column];
        sum3 += a[(row + 3) * columns + column];
    }
    for (; row < rows; ++row) sum0 += a[row * columns + column];
    sums[column] = (sum0 + sum1) + (sum2 + sum3);
    // ---- end ----
}
