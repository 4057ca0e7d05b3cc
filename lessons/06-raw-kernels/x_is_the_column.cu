// SPDX-License-Identifier: MIT
// One copy, written twice: with x as the column, and (a planted mistake) with x as the row.

// [column]
__global__ void x_as_column(const float* a, float* b, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) b[row * columns + column] = a[row * columns + column];
}
// [/column]

// [row]
__global__ void x_as_row(const float* a, float* b, int rows, int columns) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;     // planted mistake
    const int column = blockIdx.y * blockDim.y + threadIdx.y;  // planted mistake
    if (row < rows && column < columns) b[row * columns + column] = a[row * columns + column];
}
// [/row]
