// SPDX-License-Identifier: MIT

// Exercise 11b: y[column] is the sum of weights[row] * a[row, column]. There is a thread for each column, in blocks of
// 64. All threads of a block need all weights, so the block loads 64 of them at a time into shared memory.

__global__ void weighted_sum(const float* a, const float* weights, float* y, int rows, int columns) {
    // ---- your code (at most 4 lines to change) ----
    // lazy: a kernel of one's own in place of the repair; each thread loads all weights
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= columns) return;
    float total = 0;
    for (int row = 0; row < rows; ++row) total += weights[row] * a[row * columns + column];
    y[column] = total;
    // ---- end ----
}
