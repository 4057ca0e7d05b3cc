// SPDX-License-Identifier: MIT
// The kernel uses a float for each thread, but the launch asked for half as many bytes.
//
// array: float x[256] = ramp
// array: float y[256] = uninitialized
// launch: reverse<<<1, 256, 512>>>(x, y)
// finding: out of bounds, line 12, variable buffer

__global__ void reverse(const float* x, float* y) {
    extern __shared__ float buffer[];
    int t = threadIdx.x;
    buffer[t] = x[t];
    __syncthreads();
    y[t] = buffer[255 - t];
}
