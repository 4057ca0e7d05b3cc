// SPDX-License-Identifier: MIT
// Counts how often each value is among n elements: by atomics in global memory, and with counts of each block's own.
// The second kernel has as many bins as threads. Exercise 15 b has any number of them.

__global__ void global_counts(const int* x, int* counts, int n, int) {
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) atomicAdd(&counts[x[i]], 1);
}

__global__ void block_counts(const int* x, int* counts, int n, int) {
    __shared__ int own[256];
    // who am I
    const int t = threadIdx.x, first = blockIdx.x * blockDim.x + t;
    // load: the block's counts begin at zero
    own[t] = 0;
    // wait
    __syncthreads();
    // is there work; load; compute
    for (int i = first; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[x[i]], 1);
    // wait
    __syncthreads();
    // store: other blocks add to counts as well
    atomicAdd(&counts[t], own[t]);
}
