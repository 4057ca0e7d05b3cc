// SPDX-License-Identifier: MIT

__global__ void TOPIC(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // ---- your code (1 line) ----
    if (threadIdx.x < 255 && i + 1 < n) y[i + 1] = 0;  // the next thread's: right if this one is the first of the two
    if (i < n) y[i] = 2 * x[i];
    // ---- end ----
}
