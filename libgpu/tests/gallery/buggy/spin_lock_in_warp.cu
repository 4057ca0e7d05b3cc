// SPDX-License-Identifier: MIT
// A lock is taken before the barrier, and released behind a loop in which all wait for it, its owner too.
//
// array: int lock[1] = zeros
// array: int counter[1] = zeros
// launch: count<<<1, 32>>>(lock, counter)
// finding: deadlock, line 13, variable lock
// not on a gpu: the kernel never ends

__global__ void count(int* lock, int* counter) {
    if (threadIdx.x == 0) atomicExch(lock, 1);
    __syncthreads();
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    *counter += 1;
    __threadfence();
    atomicExch(lock, 0);
}
