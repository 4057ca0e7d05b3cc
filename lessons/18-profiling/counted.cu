// SPDX-License-Identifier: MIT
// Three kernels that read x and write y, for the profiler.

__global__ void near(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

// Reads every eighth element of x, eight times over.
__global__ void far(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[8 * i % n];
}

__global__ void columns(const float* x, float* y, int n) {
    __shared__ float tile[32][32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int column = threadIdx.x % 32, row = threadIdx.x / 32;
    if (i < n) tile[row][column] = x[i];
    __syncthreads();
    if (i < n) y[i] = tile[column][row];  // a warp reads down a column
}
