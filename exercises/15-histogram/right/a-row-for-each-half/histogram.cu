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
    // Two halves of the block, a histogram each, in one array of two rows; a third barrier before they are added up.
    __shared__ int rows[2][1024];
    for (int k = threadIdx.x; k < 2 * bins; k += 256) rows[k / bins][k % bins] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256)
        atomicAdd(&rows[threadIdx.x / 128][x[i]], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < bins; k += 256) own[k] = rows[0][k] + rows[1][k];
    __syncthreads();
    for (int k = bins - 1 - static_cast<int>(threadIdx.x); k >= 0; k -= 256) atomicAdd(&counts[k], own[k]);
    // ---- end ----
}
