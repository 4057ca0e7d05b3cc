// SPDX-License-Identifier: MIT
// Each thread sums one row, but rows are as long as the matrix is wide and not as long as it is high.
//
// array: float a[96] = ramp
// array: float sums[16] = zeros
// launch: row_sums<<<1, 16>>>(a, sums, 16, 6)
// finding: out of bounds, line 12, variable a

__global__ void row_sums(const float* a, float* sums, int rows, int columns) {
    int row = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < columns; ++k) sum += a[row * rows + k];
    sums[row] = sum;
}
