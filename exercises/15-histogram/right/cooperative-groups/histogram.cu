// SPDX-License-Identifier: MIT

// Exercise 15: counts[k] becomes the number of elements of x that are k. It is zero at first.

#include <cooperative_groups.h>

__global__ void histogram_atomic(const int* x, int* counts, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    // ---- your code (1 line) ----
    if (i < n) atomicAdd(&counts[x[i]], 1);  // right for any x; slow if many threads want the same bin
    // ---- end ----
}

__global__ void histogram_private(const int* x, int* counts, int n, int bins) {
    __shared__ int own[1024];  // the counts of this block; the first `bins` of them are needed
    // ---- your code (about 7 lines) ----
    const auto block = cooperative_groups::this_thread_block();
    const auto grid_size = gridDim.x * block.size();
    for (unsigned k = block.thread_rank(); k < bins; k += block.size()) own[k] = 0;
    block.sync();
    for (unsigned i = blockIdx.x * block.size() + block.thread_rank(); i < n; i += grid_size) atomicAdd(&own[x[i]], 1);
    block.sync();
    for (unsigned k = block.thread_rank(); k < bins; k += block.size()) atomicAdd(&counts[k], own[k]);
    // ---- end ----
}
