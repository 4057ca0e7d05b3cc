// SPDX-License-Identifier: MIT
// All threads leave the loop in the same round, because all of them see the same vote.
//
// array: int x[128] = random 33 below 20
// array: int y[128] = uninitialized
// launch: countdown<<<1, 128>>>(x, y)
// check: y = constant(0)

__global__ void countdown(const int* x, int* y) {
    __shared__ int left[128];
    int t = threadIdx.x;
    left[t] = x[t];
    while (__syncthreads_or(left[t] > 0)) {
        if (left[t] > 0) left[t] -= 1;
    }
    y[t] = left[127 - t];
}
