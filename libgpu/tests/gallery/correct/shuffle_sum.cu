// SPDX-License-Identifier: MIT
// Warps add with shuffles, the first warp adds what the others found: no tree in shared memory.
//
// array: float x[1000] = random 5
// array: float total[4] = uninitialized
// launch: block_sum<<<4, 256>>>(x, total, 1000)
// check: total = block_sums(x, 256) within 16 eps

__device__ float warp_sum(float value) {
    for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
    return value;
}

__global__ void block_sum(const float* x, float* total, int n) {
    __shared__ float of_warp[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float sum = warp_sum(i < n ? x[i] : 0.0f);
    if (lane == 0) of_warp[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        int warps = blockDim.x / 32;
        sum = warp_sum(lane < warps ? of_warp[lane] : 0.0f);
        if (lane == 0) total[blockIdx.x] = sum;
    }
}
