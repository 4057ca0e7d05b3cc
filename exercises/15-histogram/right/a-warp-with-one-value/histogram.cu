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
    for (int k = threadIdx.x; k < 1024; k += 256) own[k] = 0;   // all of them, as they are there
    __syncthreads();
    // Skewed data: where a warp's values are all equal, one lane adds 32. All lanes walk on together.
    const int lane = threadIdx.x % 32;
    for (int first = blockIdx.x * 256 + threadIdx.x - lane; first < n; first += gridDim.x * 256) {
        const int value = first + lane < n ? x[first + lane] : -1, of_first = __shfl_sync(0xffffffff, value, 0);
        if (__all_sync(0xffffffff, value == of_first)) {
            if (lane == 0) atomicAdd(&own[value], 32);
        } else if (value >= 0) {
            atomicAdd(&own[value], 1);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < bins; k += 256)
        if (const int count = own[k]) atomicAdd(&counts[k], count);
    // ---- end ----
}
