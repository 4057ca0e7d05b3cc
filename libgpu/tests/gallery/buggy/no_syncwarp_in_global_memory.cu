// SPDX-License-Identifier: MIT
// Lanes hand values over by an array of the device, and nothing orders them.
//
// array: int x[32] = ramp
// array: int y[32] = ramp, scratch
// array: int z[32] = uninitialized
// launch: neighbours<<<1, 32>>>(x, y, z)
// finding: missing syncwarp, lines 12 13, variable y

__global__ void neighbours(const int* x, int* y, int* z) {
    int t = threadIdx.x;
    y[t] = 2 * x[t];
    z[t] = y[t ^ 1];
}
