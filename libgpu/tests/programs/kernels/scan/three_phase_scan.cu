// SPDX-License-Identifier: MIT
// Scan of any length in three launches: the blocks' sums, a scan of these by one block, and each block's own scan.

constexpr int block_size = 64;

// Inclusive scan of the block's values; `last` is their sum.
__device__ int scan_of_block(int value, int* last) {
    __shared__ int part[block_size];
    int t = threadIdx.x;
    part[t] = value;
    __syncthreads();
    for (int distance = 1; distance < block_size; distance *= 2) {
        int sum = part[t] + (t >= distance ? part[t - distance] : 0);
        __syncthreads();
        part[t] = sum;
        __syncthreads();
    }
    int sum = part[t];
    *last = part[block_size - 1];
    __syncthreads();
    return sum;
}

__global__ void sum_blocks(const int* x, int* sums, int n) {
    int i = blockIdx.x * block_size + threadIdx.x, last = 0;
    scan_of_block(i < n ? x[i] : 0, &last);
    if (threadIdx.x == 0) sums[blockIdx.x] = last;
}

// One block; from sums to what comes before each block.
__global__ void scan_sums(int* sums, int count) {
    int before = 0;
    for (int first = 0; first < count; first += block_size) {
        int k = first + threadIdx.x, last = 0, own = k < count ? sums[k] : 0;
        int sum = scan_of_block(own, &last);
        if (k < count) sums[k] = before + sum - own;
        before += last;
    }
}

__global__ void scan(const int* x, const int* before, int* y, int n) {
    int i = blockIdx.x * block_size + threadIdx.x, last = 0;
    int sum = scan_of_block(i < n ? x[i] : 0, &last);
    if (i < n) y[i] = before[blockIdx.x] + sum;
}
