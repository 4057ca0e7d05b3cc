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
    // A tree whose threads bring the sum in a register, and whose upper half is what is read.
    const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    float sum = i < n ? x[i] : 0;
    part[t] = sum;
    for (int half = 128; half >= 1; half = half / 2) {
        __syncthreads();
        if (t >= half) continue;  // it comes to the next barrier all the same
        sum += part[t + half];
        part[t] = sum;
    }
    if (t != 0) return;
    atomicAdd(total, sum);
    // ---- end ----
}
