// SPDX-License-Identifier: MIT
// The same in a variable of the module.
//
// array: int x[32] = ramp
// array: int z[32] = uninitialized
// launch: neighbours<<<1, 32>>>(x, z)
// finding: missing syncwarp, lines 13 14, variable y

__device__ int y[32];

__global__ void neighbours(const int* x, int* z) {
    int t = threadIdx.x;
    y[t] = 2 * x[t];
    z[t] = y[t ^ 1];
}
