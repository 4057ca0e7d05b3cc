// SPDX-License-Identifier: MIT
// Cholesky decomposition of small matrices, one block for each, in shared memory. What lies above the diagonal stays.

constexpr int largest = 24;

__global__ void decompose(float* matrices, int n) {
    __shared__ float l[largest][largest];
    float* a = matrices + blockIdx.x * n * n;
    int t = threadIdx.x;
    for (int k = t; k < n * n; k += blockDim.x) l[k / n][k % n] = a[k];
    for (int k = 0; k < n; ++k) {
        if (t == 0) l[k][k] = sqrtf(l[k][k]);  // thread 0 wrote it last, too
        __syncthreads();
        for (int row = k + 1 + t; row < n; row += blockDim.x) l[row][k] /= l[k][k];
        __syncthreads();
        for (int row = k + 1 + t; row < n; row += blockDim.x)
            for (int column = k + 1; column <= row; ++column) l[row][column] -= l[row][k] * l[column][k];
    }
    for (int k = t; k < n * n; k += blockDim.x)  // the last step wrote nothing behind its barriers
        if (k % n <= k / n) a[k] = l[k / n][k % n];
}
