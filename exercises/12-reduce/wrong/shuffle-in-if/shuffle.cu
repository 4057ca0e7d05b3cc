// SPDX-License-Identifier: MIT

// Exercise 12, part e: a sum whose threads hand each other their values, lane to lane. Blocks have 256 threads.

__global__ void sum_shuffle(const float* x, float* total, int n) {
    __shared__ float part[8];  // one for each warp of the block
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    // ---- your code, star (about 10 lines) ----
    const int i = blockIdx.x * blockDim.x + t;
    float value = i < n ? x[i] : 0;  // all 32 lanes take part, so those past the end bring a 0
    for (int hop = 16; hop > 0; hop /= 2)
        if (lane < hop) value += __shfl_down_sync(0xffffffff, value, hop);  // the lanes to read from aren't there
    if (lane == 0) part[warp] = value;
    __syncthreads();
    if (warp == 0) {  // a whole warp or none
        value = lane < 8 ? part[lane] : 0;
        for (int hop = 4; hop > 0; hop /= 2) value += __shfl_down_sync(0xffffffff, value, hop);
        if (lane == 0) atomicAdd(total, value);
    }
    // ---- end ----
}
