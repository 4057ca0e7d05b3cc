// SPDX-License-Identifier: MIT
// Sparse matrix (CSR) times vector, a thread for each row.

__global__ void multiply(const int* rows, const int* columns, const float* values, const float* x, float* y, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n) return;
    float sum = 0.0f;
    for (int k = rows[row]; k < rows[row + 1]; ++k) sum += values[k] * x[columns[k]];
    y[row] = sum;
}
