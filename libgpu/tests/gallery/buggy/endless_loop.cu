// SPDX-License-Identifier: MIT
// The loop halves until it meets 1, and never does where it starts from 0.
//
// array: int x[64] = ramp
// array: int steps[64] = uninitialized
// launch: count_halvings<<<1, 64>>>(x, steps)
// finding: endless loop, line one of 12 13 14, variable -
// not on a gpu: the kernel never ends

__global__ void count_halvings(const int* x, int* steps) {
    int i = threadIdx.x, value = x[i], count = 0;
    while (value != 1) {
        value /= 2;
        count += 1;
    }
    steps[i] = count;
}
