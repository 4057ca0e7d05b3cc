// SPDX-License-Identifier: MIT
// Cooperative groups: tiles of a block, their shuffles and votes, the lanes that took a branch, any group as a type.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;
using namespace cooperative_groups;

template <typename Group>
__device__ int sum_of(Group group, int* scratch, int value) {
    const int lane = group.thread_rank();
    for (int width = group.size() / 2; width > 0; width /= 2) {
        scratch[lane] = value;
        group.sync();
        if (lane < width) value += scratch[lane + width];
        group.sync();
    }
    return value;
}
template <unsigned Size>
__device__ int tile_sum(thread_block_tile<Size> tile, int value) {
    for (int k = tile.size() / 2; k > 0; k /= 2) value += tile.shfl_down(value, k);
    return value;
}

__global__ void sums(int* out) {
    __shared__ int scratch[64];
    thread_block block = this_thread_block();
    const int own = block.thread_rank() + 1;
    const int total = sum_of(block, scratch, own);
    if (block.thread_rank() == 0) out[0] = total;
    thread_block_tile<16> tile = tiled_partition<16>(block);
    const int part = tile_sum(tile, own);
    if (tile.thread_rank() == 0) out[1 + tile.meta_group_rank()] = part;
    const int reduced = cg::reduce(tile, own, cg::plus<int>());
    if (tile.thread_rank() == 3) out[5 + tile.meta_group_rank()] = reduced;
    const auto warp = tiled_partition<32>(block);
    if (warp.any(own == 40) && warp.thread_rank() == 0) out[9] = int(warp.ballot(own % 8 == 0));
}

__device__ int one_for_all(int* counter) {
    coalesced_group active = coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, int(active.size()));
    return active.shfl(first, 0) + int(active.thread_rank());
}
__global__ void filter(const int* in, int n, int* out, int* count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] % 3 == 0) out[one_for_all(count)] = in[i];
}

int main() {
    int *out, host[10];
    cudaMalloc(&out, sizeof host);
    sums<<<1, 64>>>(out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 9; ++k) printf("%d ", host[k]);
    printf("%08x\n", unsigned(host[9]));
    const int n = 300;
    int values[n], *in, *kept, *count, found = 0;
    for (int i = 0; i < n; ++i) values[i] = i * i % 101;
    cudaMalloc(&in, sizeof values);
    cudaMalloc(&kept, sizeof values);
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice);
    filter<<<3, 128>>>(in, n, kept, count);
    cudaMemcpy(&found, count, sizeof found, cudaMemcpyDeviceToHost);
    int sum = 0, expected = 0, expected_count = 0;
    cudaMemcpy(values, kept, found * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < found; ++i) sum += values[i];
    for (int i = 0; i < n; ++i)
        if (i * i % 101 % 3 == 0) ++expected_count, expected += i * i % 101;
    printf("%d kept, expected %d; sums %d and %d\n", found, expected_count, sum, expected);
    for (int* p : {out, in, kept, count}) cudaFree(p);
    return 0;
}
