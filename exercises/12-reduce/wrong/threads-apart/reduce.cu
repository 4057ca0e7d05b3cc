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
    // wrong: the threads that add are neighbours, the places are 2, 4, 8, ... apart, and so on few banks
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int apart = 1; apart < 256; apart *= 2) {
        const int k = 2 * apart * t;
        if (k < 256) part[k] += part[k + apart];
        __syncthreads();
    }
    if (t == 0) atomicAdd(total, part[0]);
    // ---- end ----
}
