// SPDX-License-Identifier: MIT
// Block 0 adds with block scope, the others with the device's: neither sees the other's additions for certain.
//
// array: int total[1] = zeros
// launch: sum<<<8, 64>>>(total)
// finding: inter-block race, line one of 11 13, variable total

__global__ void sum(int* total) {
    if (blockIdx.x == 0)
        // its own threads alone
        atomicAdd_block(total, 1);
    else
        atomicSub(total, 1);
}
