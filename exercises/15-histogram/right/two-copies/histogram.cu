// SPDX-License-Identifier: MIT

// Exercise 15: counts[k] becomes the number of elements of x that are k. It is zero at first.

__global__ void histogram_atomic(const int* x, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // ---- your code (1 line) ----
    if (i < n) atomicAdd(&counts[x[i]], 1);  // right for any x; slow if many threads want the same bin
    // ---- end ----
}

__global__ void histogram_private(const int* x, int* counts, int n, int bins) {
    __shared__ int own[1024];  // the counts of this block; the first `bins` of them are needed
    // ---- your code (about 7 lines) ----
    __shared__ int other[1024];   // odd threads count there: half as many meet at one counter
    for (int k = threadIdx.x; k < bins; k += 256) own[k] = other[k] = 0;
    __syncthreads();
    int* mine = threadIdx.x % 2 == 0 ? own : other;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&mine[x[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < bins; k += 256) own[k] += other[k];
    for (int k = threadIdx.x; k < bins; k += 256)
        if (own[k] != 0) atomicAdd(counts + k, own[k]);
    // ---- end ----
}
