// SPDX-License-Identifier: MIT
// Sum of two vectors, a thread for each element.

__global__ void add(const float* x, const float* y, float* z, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i];
}
