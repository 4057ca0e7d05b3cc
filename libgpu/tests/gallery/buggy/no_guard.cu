// SPDX-License-Identifier: MIT
// The last block has more threads than elements are left, and nothing holds the surplus threads back.
//
// array: float x[1000] = ramp
// array: float y[1000] = uninitialized
// launch: scale<<<4, 256>>>(x, y)
// finding: out of bounds, line 11, variable x

__global__ void scale(const float* x, float* y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2.0f * x[i];
}
