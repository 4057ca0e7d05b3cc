// SPDX-License-Identifier: MIT
// volatile keeps the counter out of registers, but an addition is still a read and then a write.
//
// array: int count[1] = zeros
// launch: increment<<<8, 32>>>(count)
// finding: inter-block race, line 9, variable count

__global__ void increment(volatile int* count) {
    if (threadIdx.x == 0) count[0] += 1;
}
