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
    __shared__ int of_warp[8][1024];   // `own` isn't needed: the block's sum of a bin is formed as it is added
    const int warp = threadIdx.x / 32;
    for (int k = threadIdx.x; k < bins; k += blockDim.x)
        for (int w = 0; w < 8; ++w) of_warp[w][k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&of_warp[warp][x[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < bins; k += blockDim.x) {
        int sum = 0;
        for (int w = 0; w < 8; ++w) sum += of_warp[w][k];
        atomicAdd(&counts[k], sum);
    }
    // ---- end ----
}
