// SPDX-License-Identifier: MIT
// LU decomposition in place by one block, column by column, without pivoting: the column is divided by the pivot, then
// its multiple of the row is taken from what remains.

__global__ void decompose(float* a, int n) {
    for (int k = 0; k < n - 1; ++k) {
        for (int row = k + 1 + threadIdx.x; row < n; row += blockDim.x) a[row * n + k] /= a[k * n + k];
        __syncthreads();
        int rest = n - k - 1;
        for (int cell = threadIdx.x; cell < rest * rest; cell += blockDim.x) {
            int row = k + 1 + cell / rest, column = k + 1 + cell % rest;
            a[row * n + column] -= a[row * n + k] * a[k * n + column];
        }
        __syncthreads();
    }
}
