// SPDX-License-Identifier: MIT

// Exercise 9: two kernels on tables. x is the column, y the row; row-major: the elements of a row are neighbours.

__global__ void fill(int* a, int rows, int columns) {
    // ---- your code (about 4 lines) ----
    const int2 at = make_int2(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y);
    if (at.x >= columns) return;
    if (at.y >= rows) return;
    a[at.y * columns + at.x] = 1000 * at.y + at.x;
    // ---- end ----
}

__global__ void column_sums(const float* a, float* sums, int rows, int columns) {
    // ---- your code (about 5 lines) ----
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    const int column = blockIdx.x * blockDim.x * blockDim.y + t;
    if (column < columns) {
        float sum = 0;
        int row = 0;
        while (row < rows) sum += a[row++ * columns + column];
        sums[column] = sum;
    }
    // ---- end ----
}
