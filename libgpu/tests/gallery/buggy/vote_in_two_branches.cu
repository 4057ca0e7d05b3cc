// SPDX-License-Identifier: MIT
// Both branches vote with a mask of all lanes: each half waits for the other in its own branch.
//
// array: int x[32] = ramp
// array: int y[32] = uninitialized
// launch: two_votes<<<1, 32>>>(x, y)
// finding: deadlock, lines 12 14, variable -

__global__ void two_votes(const int* x, int* y) {
    int lane = threadIdx.x, value = x[lane];
    if (lane < 16) {
        value = __shfl_xor_sync(0xffffffffu, value, 1);
    } else {
        value = __any_sync(0xffffffffu, value > 20);
    }
    y[lane] = value;
}
