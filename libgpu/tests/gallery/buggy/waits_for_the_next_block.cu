// SPDX-License-Identifier: MIT
// Each block waits for the one behind it, which a GPU may not begin before this one has ended.
//
// array: int ready[8] = zeros
// launch: chain<<<8, 32>>>(ready)
// finding: deadlock, line 11, variable ready
// not on a gpu: it hangs where not all blocks fit at once

__global__ void chain(volatile int* ready) {
    if (threadIdx.x != 0) return;
    while (blockIdx.x + 1 < gridDim.x && ready[blockIdx.x + 1] == 0) {
    }
    ready[blockIdx.x] = 1;
}
