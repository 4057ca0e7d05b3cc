// SPDX-License-Identifier: MIT
// The mask names all 32 lanes, but half of them have gone to wait at the barrier.
//
// array: int x[32] = ramp
// array: int y[32] = uninitialized
// launch: half_shuffle<<<1, 32>>>(x, y)
// finding: deadlock, lines 12 14, variable -

__global__ void half_shuffle(const int* x, int* y) {
    int lane = threadIdx.x, value = x[lane];
    if (lane < 16) {
        value = __shfl_down_sync(0xffffffffu, value, 1);
    }
    __syncthreads();
    y[lane] = value;
}
