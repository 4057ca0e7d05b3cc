// SPDX-License-Identifier: MIT

// Exercise 12: a sum, done twice. `total` is one float, the same for all threads.

__global__ void sum_atomic(const float* x, float* total, int n) {
    // ---- your code (about 2 lines) ----
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, x[i]);  // right, and slow: all n threads queue up for one address
    // ---- end ----
}

__global__ void sum_tree(const float* x, float* total, int n) {
    __shared__ float part[256];  // one for each thread of the block, seen by all of them
    // ---- your code (about 9 lines) ----
    // Interleaved addressing, the first of the well-known seven: the threads that add stay 2, 4, 8, ... apart.
    const unsigned tid = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * 256 + tid;
    part[tid] = i < n ? x[i] : 0;
    __syncthreads();
    for (unsigned s = 1; s < 256; s *= 2) {
        if (tid % (2 * s) == 0) part[tid] += part[tid + s];
        __syncthreads();
    }
    if (tid == 0) atomicAdd(total, part[0]);
    // ---- end ----
}
