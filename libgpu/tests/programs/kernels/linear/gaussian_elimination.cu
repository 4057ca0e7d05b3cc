// SPDX-License-Identifier: MIT
// A linear system by elimination, two launches for each column, and back substitution by one warp, whose lanes share
// each row's sum.

__global__ void factors(const float* a, float* factor, int n, int k) {
    int row = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n) factor[row] = a[row * n + k] / a[k * n + k];
}

__global__ void eliminate(float* a, float* b, const float* factor, int n, int k) {
    int column = k + blockIdx.x * blockDim.x + threadIdx.x, row = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || column >= n) return;
    a[row * n + column] -= factor[row] * a[k * n + column];
    if (column == k) b[row] -= factor[row] * b[k];
}

__global__ void substitute(const float* a, const float* b, float* x, int n) {
    for (int row = n - 1; row >= 0; --row) {
        float sum = 0.0f;
        for (int column = row + 1 + threadIdx.x; column < n; column += 32) sum += a[row * n + column] * x[column];
        for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_down_sync(0xffffffffu, sum, distance);
        if (threadIdx.x == 0) x[row] = (b[row] - sum) / a[row * n + row];
        __syncwarp();
    }
}
