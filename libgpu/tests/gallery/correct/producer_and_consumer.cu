// SPDX-License-Identifier: MIT
// Thread 0 waits for a flag that the block's last thread sets: all threads of a block go on, whoever waits.
//
// array: int x[64] = ramp
// array: int y[64] = uninitialized
// array: int flag[1] = zeros, scratch
// launch: hand_over<<<1, 64>>>(x, y, flag)
// check: y = reverse(x)

__global__ void hand_over(const int* x, int* y, volatile int* flag) {
    int t = threadIdx.x;
    if (t == 63) {
        for (int k = 0; k < 64; ++k) y[k] = x[63 - k];
        __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
    }
}
