// SPDX-License-Identifier: MIT
// Sums of segments of different length, one warp for each: its lanes fold their sums in shared memory.

constexpr int warps = 4;

__global__ void sum_segments(const int* x, const int* offsets, int* sums, int segments) {
    __shared__ int part[warps][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, segment = blockIdx.x * warps + warp;
    if (segment >= segments) return;
    int own = 0;
    for (int k = offsets[segment] + lane; k < offsets[segment + 1]; k += 32) own += x[k];
    part[warp][lane] = own;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) part[warp][lane] += part[warp][lane + half];
        __syncwarp();
    }
    if (lane == 0) sums[segment] = part[warp][0];
}
