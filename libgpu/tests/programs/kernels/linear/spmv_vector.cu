// SPDX-License-Identifier: MIT
// Sparse matrix (CSR) times vector, a warp for each row: its lanes read neighbouring elements and fold their sums.

__global__ void multiply(const int* rows, const int* columns, const float* values, const float* x, float* y, int n) {
    int lane = threadIdx.x % 32, row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (row >= n) return;
    float sum = 0.0f;
    for (int k = rows[row] + lane; k < rows[row + 1]; k += 32) sum += values[k] * x[columns[k]];
    for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
    if (lane == 0) y[row] = sum;
}
