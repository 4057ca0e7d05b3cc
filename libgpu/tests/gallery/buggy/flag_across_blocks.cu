// SPDX-License-Identifier: MIT
// One block tells the others with a plain flag that the data are there: they may see the flag, and old data.
//
// array: float data[1] = zeros
// array: int ready[1] = zeros
// array: float y[4] = zeros
// launch: wait_and_read<<<4, 32>>>(data, ready, y)
// finding: inter-block race, lines 14 15, variable ready

__global__ void wait_and_read(float* data, int* ready, float* y) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        atomicExch(data, 42.0f);
        *ready = 1;
    } else if (*ready) {
        y[blockIdx.x] = atomicAdd(data, 0.0f);
    }
}
