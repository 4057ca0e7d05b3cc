// SPDX-License-Identifier: MIT
// The scratch array is the module's in place of shared memory: it needs the barrier just the same.
//
// array: int x[64] = ramp
// array: int y[64] = uninitialized
// launch: reverse<<<1, 64>>>(x, y)
// finding: missing barrier, lines 13 14, variable scratch

__device__ int scratch[64];

__global__ void reverse(const int* x, int* y) {
    int t = threadIdx.x;
    scratch[t] = x[t];
    y[t] = scratch[63 - t];
}
