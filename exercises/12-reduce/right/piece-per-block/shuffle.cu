// SPDX-License-Identifier: MIT

// Exercise 12, part e: a sum whose threads hand each other their values, lane to lane. Blocks have 256 threads.

__global__ void sum_shuffle(const float* x, float* total, int n) {
    __shared__ float part[8];  // one for each warp of the block
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    // ---- your code, star (about 10 lines) ----
    // Warps first, then the first warp once more; written down step by step.
    const int i = blockIdx.x * 256 + t;
    float value = (i < n) ? x[i] : 0.f;
    value += __shfl_down_sync(0xffffffffu, value, 16);
    value += __shfl_down_sync(0xffffffffu, value, 8);
    value += __shfl_down_sync(0xffffffffu, value, 4);
    value += __shfl_down_sync(0xffffffffu, value, 2);
    value += __shfl_down_sync(0xffffffffu, value, 1);
    if (t < 8) part[t] = 0;
    __syncthreads();
    if (lane == 0) part[warp] = value;
    __syncthreads();
    if (t < 32) {
        value = (t < blockDim.x / 32) ? part[t] : 0.f;
        value += __shfl_down_sync(0xffffffffu, value, 4);
        value += __shfl_down_sync(0xffffffffu, value, 2);
        value += __shfl_down_sync(0xffffffffu, value, 1);
    }
    if (t == 0) atomicAdd(total, value);
    // ---- end ----
}
