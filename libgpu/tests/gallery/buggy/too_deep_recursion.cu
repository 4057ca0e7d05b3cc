// SPDX-License-Identifier: MIT
// The recursion never meets its end for odd numbers.
//
// array: int x[32] = ramp
// array: int y[32] = uninitialized
// launch: depths<<<1, 32>>>(x, y)
// finding: stack overflow, line one of 9 10 11 12, variable -

__device__ __noinline__ int depth(int value, volatile int* last) {
    *last = value;
    if (value == 0) return 0;
    int below = depth(value - 2, last);
    *last = value;
    return below + 1;
}

__global__ void depths(const int* x, int* y) {
    volatile int last = 0;
    y[threadIdx.x] = depth(x[threadIdx.x], &last);
}
