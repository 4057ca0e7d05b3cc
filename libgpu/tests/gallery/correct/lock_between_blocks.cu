// SPDX-License-Identifier: MIT
// One thread of each block takes a lock, with a fence on both sides of what it guards.
//
// array: int lock[1] = zeros
// array: int next[1] = zeros
// array: int order[8] = zeros, scratch
// launch: enter<<<8, 32>>>(lock, next, order)
// check: next = constant(8)
// check: lock = constant(0)

__global__ void enter(int* lock, int* next, int* order) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    volatile int* place = next;
    int mine = *place;
    order[mine] = blockIdx.x;
    *place = mine + 1;
    __threadfence();
    atomicExch(lock, 0);
}
