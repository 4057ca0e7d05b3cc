// SPDX-License-Identifier: MIT
// The same within one block, for each of its threads.
//
// array: int count[1] = zeros
// launch: increment<<<1, 64>>>(count)
// finding: missing barrier, line 10, variable count

__global__ void increment(int* count) {
    volatile int* c = count;
    *c = *c + 1;
}
