// SPDX-License-Identifier: MIT
// Five weights are read, and there are four.
//
// array: float x[64] = ramp
// array: float y[64] = uninitialized
// launch: weigh<<<1, 64>>>(x, y)
// finding: out of bounds, line 13, variable weights

__constant__ float weights[4] = {0.1f, 0.2f, 0.3f, 0.4f};

__global__ void weigh(const float* x, float* y) {
    float sum = 0;
    for (int k = 0; k <= 4; ++k) sum += weights[k] * x[threadIdx.x];
    y[threadIdx.x] = sum;
}
