// SPDX-License-Identifier: MIT

// Exercise 12: a sum, done twice. `total` is one float, the same for all threads.

__global__ void sum_atomic(const float* x, float* total, int n) {
    // ---- your code (about 2 lines) ----
    if (blockIdx.x * blockDim.x + threadIdx.x < n) {
        const float mine = x[blockIdx.x * blockDim.x + threadIdx.x];
        atomicAdd(total, mine);
    }
    // ---- end ----
}

__global__ void sum_tree(const float* x, float* total, int n) {
    __shared__ float part[256];  // one for each thread of the block, seen by all of them
    // ---- your code (about 9 lines) ----
    // The last warp needs no barrier of the block; __syncwarp() orders its reads and writes.
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    part[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int s = 128; s > 32; s >>= 1) {
        if (t < s) part[t] += part[t + s];
        __syncthreads();
    }
    if (t < 32) {
        volatile float* v = part;
        float mine = v[t] + v[t + 32];
        __syncwarp();
        v[t] = mine;
        __syncwarp();
        mine += v[t + 16]; __syncwarp(); v[t] = mine; __syncwarp();
        mine += v[t + 8]; __syncwarp(); v[t] = mine; __syncwarp();
        mine += v[t + 4]; __syncwarp(); v[t] = mine; __syncwarp();
        mine += v[t + 2]; __syncwarp(); v[t] = mine; __syncwarp();
        mine += v[t + 1];
        if (t == 0) atomicAdd(total, mine);
    }
    // ---- end ----
}
