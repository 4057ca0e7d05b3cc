// SPDX-License-Identifier: MIT
// Threads of one block exchange values through global memory, which needs a barrier as shared memory does.
//
// array: int x[256] = ramp
// array: int y[256] = uninitialized
// array: int z[256] = uninitialized
// launch: two_steps<<<1, 256>>>(x, y, z)
// finding: missing barrier, lines 12 13, variable y

__global__ void two_steps(const int* x, int* y, int* z) {
    int t = threadIdx.x;
    y[t] = 2 * x[t];
    int right = y[(t + 1) % 256];
    z[t] = right;
}
