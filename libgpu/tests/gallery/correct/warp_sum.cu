// SPDX-License-Identifier: MIT
// A warp adds in shared memory: a value is read, all wait, then it is written, and all wait again.
//
// array: float x[64] = random 4
// array: float total[2] = uninitialized
// launch: warp_sum<<<2, 32>>>(x, total)
// check: total = block_sums(x, 32) within 8 eps

__global__ void warp_sum(const float* x, float* total) {
    __shared__ float part[32];
    int lane = threadIdx.x;
    part[lane] = x[blockIdx.x * 32 + lane];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        float other = lane < half ? part[lane + half] : 0.0f;
        __syncwarp();
        part[lane] += other;
        __syncwarp();
    }
    if (lane == 0) total[blockIdx.x] = part[0];
}
