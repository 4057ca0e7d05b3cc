// SPDX-License-Identifier: MIT
// Sum by shuffles: first within each warp, then over the warps' sums, then by one atomic per block.

__device__ float sum_of_warp(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void sum(const float* x, float* total, int n) {
    __shared__ float of_warp[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float own = 0.0f;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) own += x[i];
    own = sum_of_warp(own);
    if (lane == 0) of_warp[warp] = own;
    __syncthreads();
    if (warp != 0) return;
    own = sum_of_warp(lane < blockDim.x / 32 ? of_warp[lane] : 0.0f);
    if (lane == 0) atomicAdd(total, own);
}
