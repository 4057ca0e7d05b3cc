// SPDX-License-Identifier: MIT
// The weights are declared, and nobody sets them: every sum is 0.
//
// array: float x[256] = ramp
// array: float y[256] = uninitialized
// launch: smooth<<<2, 128>>>(x, y, 256)
// finding: uninitialized read, line 15, variable weights

__constant__ float weights[3];

__global__ void smooth(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int k = -1; k <= 1; ++k) sum += weights[k + 1] * x[min(max(i + k, 0), n - 1)];
    y[i] = sum;
}
