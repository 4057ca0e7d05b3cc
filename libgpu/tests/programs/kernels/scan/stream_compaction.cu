// SPDX-License-Identifier: MIT
// Keeps the even elements in their order: a scan of flags in the block gives each its place, the blocks' counts are
// scanned by one thread between two launches.

constexpr int block_size = 128;

__device__ bool is_kept(int value) { return value % 2 == 0; }

__global__ void count_kept(const int* x, int* counts, int n) {
    int i = blockIdx.x * block_size + threadIdx.x;
    int count = __syncthreads_count(i < n && is_kept(x[i]));
    if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

__global__ void scan_counts(int* counts, int* total, int count) {
    int before = 0;
    for (int k = 0; k < count; ++k) {
        int own = counts[k];
        counts[k] = before;
        before += own;
    }
    *total = before;
}

__global__ void keep(const int* x, const int* first, int* kept, int n) {
    __shared__ int place[block_size];
    int t = threadIdx.x, i = blockIdx.x * block_size + t;
    bool flag = i < n && is_kept(x[i]);
    place[t] = flag;
    for (int distance = 1; distance < block_size; distance *= 2) {
        __syncthreads();
        int sum = place[t] + (t >= distance ? place[t - distance] : 0);
        __syncthreads();
        place[t] = sum;
    }
    if (flag) kept[first[blockIdx.x] + place[t] - 1] = x[i];
}
