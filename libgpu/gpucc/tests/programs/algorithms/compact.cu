// SPDX-License-Identifier: MIT
// Stream compaction: a predicate, a scan of blocks by warp shuffles, and a second level for the blocks' sums.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

const int warp = 32, block_size = 256;

__device__ int inclusive_in_warp(int value) {
    const int lane = threadIdx.x % warp;
    for (int offset = 1; offset < warp; offset *= 2) {
        const int left = __shfl_up_sync(0xffffffff, value, offset);
        if (lane >= offset) value += left;
    }
    return value;
}

// Every thread gets the sum up to itself; `total` is the block's.
__device__ int inclusive_in_block(int value, int& total) {
    __shared__ int sums[block_size / warp];
    const int lane = threadIdx.x & (warp - 1), own_warp = threadIdx.x / warp;
    value = inclusive_in_warp(value);
    if (lane == warp - 1) sums[own_warp] = value;
    __syncthreads();
    if (own_warp == 0) {
        const int sum = inclusive_in_warp(lane < block_size / warp ? sums[lane] : 0);
        if (lane < block_size / warp) sums[lane] = sum;
    }
    __syncthreads();
    total = sums[block_size / warp - 1];
    return value + (own_warp > 0 ? sums[own_warp - 1] : 0);
}

template <class Keep>
__global__ void count(const int* in, int n, int* totals, Keep keep) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int total;
    inclusive_in_block(i < n && keep(in[i]), total);
    if (threadIdx.x == 0) totals[blockIdx.x] = total;
}
template <class Keep>
__global__ void write(const int* in, int n, const int* starts, int* out, Keep keep) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int is_kept = i < n && keep(in[i]);
    int total;
    const int place = inclusive_in_block(is_kept, total) - is_kept;
    if (is_kept) out[starts[blockIdx.x] + place] = in[i];
}

struct DivisibleBy {
    int by;
    __host__ __device__ bool operator()(int x) const { return x % by == 0; }
};

int main() {
    const int n = 10000, blocks = (n + block_size - 1) / block_size;
    std::vector<int> in(n), totals(blocks), starts(blocks), expected;
    for (int i = 0; i < n; ++i) in[i] = i * 37 % 1001;
    const DivisibleBy keep{3};
    for (int x : in)
        if (keep(x)) expected.push_back(x);
    int *d_in, *d_out, *d_totals;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMalloc(&d_totals, blocks * sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    count<<<blocks, block_size>>>(d_in, n, d_totals, keep);
    cudaMemcpy(totals.data(), d_totals, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    std::partial_sum(totals.begin(), totals.end() - 1, starts.begin() + 1);
    cudaMemcpy(d_totals, starts.data(), blocks * sizeof(int), cudaMemcpyHostToDevice);
    write<<<blocks, block_size>>>(d_in, n, d_totals, d_out, keep);
    std::vector<int> out(starts.back() + totals.back());
    cudaMemcpy(out.data(), d_out, out.size() * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%zu of %d kept, %s\n", out.size(), n, out == expected ? "in order" : "WRONG");
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_totals);
    return out == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
