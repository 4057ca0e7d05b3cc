// SPDX-License-Identifier: MIT
// A shuffle moves a register; it doesn't order what the lanes wrote to shared memory.
//
// array: int x[32] = ramp
// array: int y[32] = uninitialized
// launch: mirror<<<1, 32>>>(x, y)
// finding: missing syncwarp, lines 12 14, variable tile

__global__ void mirror(const int* x, int* y) {
    __shared__ int tile[32];
    int lane = threadIdx.x;
    tile[lane] = x[lane];
    int first = __shfl_sync(0xffffffffu, lane, 0);
    y[lane] = tile[31 - lane] + first;
}
