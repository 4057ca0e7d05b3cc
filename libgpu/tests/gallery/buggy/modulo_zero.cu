// SPDX-License-Identifier: MIT
// The number of groups is zero where a launch got its arguments wrong.
//
// array: int x[64] = ramp
// array: int y[64] = uninitialized
// launch: group_of<<<1, 64>>>(x, y, 0)
// finding: division by zero, line 12, variable -

__global__ void group_of(const int* x, int* y, int groups) {
    int i = threadIdx.x;
    int value = x[i];
    y[i] = value % groups;
}
