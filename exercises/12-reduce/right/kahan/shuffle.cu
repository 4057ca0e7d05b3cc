// SPDX-License-Identifier: MIT

// Exercise 12, part e: a sum whose threads hand each other their values, lane to lane. Blocks have 256 threads.

__global__ void sum_shuffle(const float* x, float* total, int n) {
    __shared__ float part[8];  // one for each warp of the block
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    // ---- your code, star (about 10 lines) ----
    // Butterfly: all lanes end with the sum of their warp, and then all threads with the block's.
    const int i = blockIdx.x * blockDim.x + t;
    float value = i < n ? x[i] : 0.0f;
#pragma unroll
    for (int mask = 16; mask > 0; mask >>= 1) value += __shfl_xor_sync(0xffffffff, value, mask);
    if (lane == 0) part[warp] = value;
    __syncthreads();
    value = part[lane & 7];
#pragma unroll
    for (int mask = 4; mask > 0; mask >>= 1) value += __shfl_xor_sync(0xffffffff, value, mask);
    if (t == 0) atomicAdd(total, value);
    // ---- end ----
}
