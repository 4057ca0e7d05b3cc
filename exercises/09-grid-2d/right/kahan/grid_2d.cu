// SPDX-License-Identifier: MIT

// Exercise 9: two kernels on tables. x is the column, y the row; row-major: the elements of a row are neighbours.

__global__ void fill(int* a, int rows, int columns) {
    // ---- your code (about 4 lines) ----
    const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
    if (row < rows && column < columns) {
        int* line = a + row * columns;  // the row begins here
        line[column] = 1000 * row + column;
    }
    // ---- end ----
}

__global__ void column_sums(const float* a, float* sums, int rows, int columns) {
    // ---- your code (about 5 lines) ----
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float sum = 0, lost = 0;  // Kahan: what each addition has rounded off goes into the next one
    for (int row = 0; row < rows; ++row) {
        const float y = __fsub_rn(a[row * columns + column], lost), t = __fadd_rn(sum, y);
        lost = __fsub_rn(__fsub_rn(t, sum), y);
        sum = t;
    }
    sums[column] = sum;
    // ---- end ----
}
