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
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    atomicAdd(total, part[threadIdx.x]);  // no tree: as many atomics as before, and a barrier on top
    // ---- end ----
}
