// SPDX-License-Identifier: MIT

// Exercise 15: counts[k] becomes the number of elements of x that are k. It is zero at first.

__global__ void histogram_atomic(const int* x, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // ---- your code (1 line) ----
    // TODO: If there is an element i, count it. Write counts[x[i]] += 1 first, run make exercise-15, and read what
    //       check mode finds; then repair the line.
    // ---- end ----
}

__global__ void histogram_private(const int* x, int* counts, int n, int bins) {
    __shared__ int own[1024];  // the counts of this block; the first `bins` of them are needed
    // ---- your code (about 7 lines) ----
    // TODO: 1. Zero the block's counts. There may be more bins than threads.
    //       2. Count in `own`, by a grid-stride loop over x. Several threads may want the same bin at once.
    //       3. Add the block's counts to those of all blocks.
    //       No thread counts before all of `own` is zero, and none takes a sum before all have counted.
    // ---- end ----
}
