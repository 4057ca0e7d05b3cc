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
    __shared__ int of_warp[8][1024];
    const int t = threadIdx.x, warp = t / 32;
    for (int e = t; e < 8 * bins; e += 256) of_warp[e / bins][e % bins] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + t; i < n; i += gridDim.x * 256) atomicAdd(&of_warp[warp][x[i]], 1);
    __syncthreads();
    for (int half = 4; half > 0; half /= 2) {   // 8 histograms become 4, 2, and one
        for (int e = t; e < half * bins; e += 256) of_warp[e / bins][e % bins] += of_warp[e / bins + half][e % bins];
        __syncthreads();
    }
    for (int k = t; k < bins; k += 256) atomicAdd(&counts[k], of_warp[0][k]);
    // ---- end ----
}
