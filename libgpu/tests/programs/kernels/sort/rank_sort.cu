// SPDX-License-Identifier: MIT
// Sort by rank: each thread counts the elements that come before its own, a tile in shared memory at a time.

constexpr int block_size = 64;

__global__ void sort(const int* x, int* y, int n) {
    __shared__ int tile[block_size];
    int t = threadIdx.x, i = blockIdx.x * block_size + t, own = i < n ? x[i] : 0, rank = 0;
    for (int first = 0; first < n; first += block_size) {
        if (first + t < n) tile[t] = x[first + t];
        __syncthreads();
        int count = min(block_size, n - first);
        for (int k = 0; k < count; ++k) rank += tile[k] < own || (tile[k] == own && first + k < i);
        __syncthreads();
    }
    if (i < n) y[rank] = own;
}
