// SPDX-License-Identifier: MIT
// The flag is set behind a barrier, and thread 1 waits for it before that barrier.
//
// array: int flag[1] = zeros
// launch: hang<<<1, 64>>>(flag)
// finding: deadlock, line 11, variable flag
// not on a gpu: the kernel never ends

__global__ void hang(volatile int* flag) {
    if (threadIdx.x == 1)
        while (*flag == 0) {
        }
    __syncthreads();
    if (threadIdx.x == 0) *flag = 1;
}
