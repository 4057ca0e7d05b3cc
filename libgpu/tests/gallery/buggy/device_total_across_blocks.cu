// SPDX-License-Identifier: MIT
// One thread of each block adds to the module's total, without an atomic.
//
// array: int x[128] = ramp
// launch: add<<<4, 32>>>(x)
// finding: inter-block race, line 13, variable total

__device__ int total;

__global__ void add(const int* x) {
    int value = x[blockIdx.x * 32 + threadIdx.x];
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    if (threadIdx.x == 0) total += value;
}
