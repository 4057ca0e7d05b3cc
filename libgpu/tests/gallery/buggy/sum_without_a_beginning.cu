// SPDX-License-Identifier: MIT
// The sum is declared, and begins with whatever is there.
//
// array: float x[256] = ramp
// array: float y[64] = uninitialized
// launch: sums<<<1, 64>>>(x, y)
// compiler: g++
// finding: uninitialized read, line 13, variable sum

__global__ void sums(const float* x, float* y) {
    int t = threadIdx.x;
    float sum;
    for (int k = 0; k < 4; ++k) sum += x[4 * t + k];
    y[t] = sum;
}
