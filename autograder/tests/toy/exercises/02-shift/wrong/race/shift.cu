// SPDX-License-Identifier: MIT

__global__ void shift(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 255 && i + 1 < n) y[i + 1] = 0;  // the next thread's: right if this one is the first of the two
    if (i < n) y[i] = x[i] + 1;
}
