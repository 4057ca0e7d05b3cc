// SPDX-License-Identifier: MIT
// A warp adds without waiting: since the Volta GPUs, the threads of a warp don't run in lockstep.
//
// array: float x[32] = ones
// array: float total[1] = uninitialized
// launch: warp_sum<<<1, 32>>>(x, total)
// finding: missing syncwarp, line 16, variable part

__global__ void warp_sum(const float* x, float* total) {
    __shared__ float part[64];
    int lane = threadIdx.x;
    part[lane] = x[lane];
    part[lane + 32] = 0.0f;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        part[lane] += part[lane + half];
    }
    if (lane == 0) *total = part[0];
}
