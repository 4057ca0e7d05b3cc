// SPDX-License-Identifier: MIT

// Exercise 11b: y[column] is the sum of weights[row] * a[row, column]. There is a thread for each column, in blocks of
// 64. All threads of a block need all weights, so the block loads 64 of them at a time into shared memory.

__global__ void weighted_sum(const float* a, const float* weights, float* y, int rows, int columns) {
    // ---- your code (at most 4 lines to change) ----
    __shared__ float part[64];
    const int t = threadIdx.x, column = blockIdx.x * 64 + t;
    if (column >= columns) return;   // wrong: who leaves neither loads weights nor comes to the barriers
    float sum = 0;
    for (int first = 0; first < rows; first += 64) {
        if (first + t < rows) part[t] = weights[first + t];
        __syncthreads();
        const int count = min(rows - first, 64);
        if (column < columns) {
            for (int k = 0; k < count; ++k) sum += part[k] * a[(first + k) * columns + column];
            __syncthreads();   // nobody loads the next part before it is time
        }
    }
    if (column < columns) y[column] = sum;
    // ---- end ----
}
