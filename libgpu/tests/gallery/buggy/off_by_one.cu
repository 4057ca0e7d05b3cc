// SPDX-License-Identifier: MIT
// The guard lets one thread too many through: i <= n instead of i < n.
//
// array: float x[500] = ramp
// array: float y[501] = uninitialized
// launch: shift<<<2, 256>>>(x, y, 500)
// finding: out of bounds, line 12, variable x

__global__ void shift(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) {
        y[i] = x[i] + 1.0f;
    }
}
