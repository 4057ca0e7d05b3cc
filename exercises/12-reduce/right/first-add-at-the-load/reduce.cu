// SPDX-License-Identifier: MIT

// Exercise 12: a sum, done twice. `total` is one float, the same for all threads.

__global__ void sum_atomic(const float* x, float* total, int n) {
    // ---- your code (about 2 lines) ----
    const unsigned tid = threadIdx.x + blockIdx.x * blockDim.x;
    if (tid >= unsigned(n)) return;
    atomicAdd(&total[0], x[tid]);
    // ---- end ----
}

__global__ void sum_tree(const float* x, float* total, int n) {
    __shared__ float part[256];  // one for each thread of the block, seen by all of them
    // ---- your code (about 9 lines) ----
    // Two elements for each thread: the first addition is made while they are loaded.
    const unsigned tid = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + tid;
    float mine = i < n ? x[i] : 0;
    if (i + blockDim.x < n) mine += x[i + blockDim.x];
    part[tid] = mine;
    __syncthreads();
    for (unsigned s = blockDim.x / 2; s > 0; s >>= 1) {
        if (tid < s) part[tid] = mine = mine + part[tid + s];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(total, mine);
    // ---- end ----
}
