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
    // A tree in two dimensions: 16 rows of 16, the columns first.
    const int t = threadIdx.x, i = blockIdx.x * 256 + t;
    float sum = i < n ? x[i] : 0;
    part[t] = sum;
    __syncthreads();
    for (int rows = 8; rows > 0; rows /= 2) {
        if (t / 16 < rows) part[t] += part[t + 16 * rows];
        __syncthreads();
    }
    for (int columns = 8; columns > 0; columns /= 2) {
        if (t < columns) part[t] += part[t + columns];
        __syncthreads();
    }
    if (t == 0) atomicAdd(total, part[0]);
    // ---- end ----
}
