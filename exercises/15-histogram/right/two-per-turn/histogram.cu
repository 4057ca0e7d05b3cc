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
    const int t = threadIdx.x;
    int k = t;
    while (k < bins) {
        own[k] = 0;
        k += blockDim.x;
    }
    __syncthreads();
    const int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += 2 * stride) {
        const int a = x[i], b = i + stride < n ? x[i + stride] : -1;   // two loads are under way at once
        atomicAdd(&own[a], 1);
        if (b >= 0) atomicAdd(&own[b], 1);
    }
    __syncthreads();
    for (k = t; k < bins; k += blockDim.x) atomicAdd(&counts[k], own[k]);
    // ---- end ----
}
