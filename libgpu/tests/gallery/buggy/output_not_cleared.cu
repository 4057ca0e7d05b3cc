// SPDX-License-Identifier: MIT
// The output is added to, but nobody has set it to zero: gpu::empty leaves whatever was there.
//
// array: float x[256] = ones
// array: float y[256] = uninitialized
// launch: accumulate<<<1, 256>>>(x, y)
// finding: uninitialized read, line 11, variable y

__global__ void accumulate(const float* x, float* y) {
    int i = threadIdx.x;
    y[i] += x[i];
}
