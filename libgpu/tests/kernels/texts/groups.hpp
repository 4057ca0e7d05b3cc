// SPDX-License-Identifier: MIT
#pragma once

namespace texts {

/// Cooperative groups: the block, tiles, threads that run together.
inline constexpr const char* groups = R"(
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void block_facts(int* out) {
    cg::thread_block block = cg::this_thread_block();
    __shared__ int s[1024];
    int rank = block.thread_rank(), size = block.size();
    s[rank] = rank;
    block.sync();
    int v = s[size - 1 - rank];
    cg::sync(block);
    bool right = block.group_index().x == blockIdx.x && block.thread_index().y == threadIdx.y &&
                 block.dim_threads().z == blockDim.z && block.num_threads() == blockDim.x * blockDim.y * blockDim.z &&
                 block.group_dim().x == blockDim.x;
    cg::grid_group grid = cg::this_grid();
    out[grid.thread_rank()] = right ? v + 10000 * (int)grid.size() : -1;
}

template <unsigned N> __device__ int tile_sum(cg::thread_block_tile<N> tile, int v) {
    for (unsigned by = tile.size() / 2; by > 0; by /= 2) v += tile.shfl_down(v, by);
    return tile.shfl(v, 0);
}
__global__ void tiles(int* out) {
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(warp);
    auto four = cg::tiled_partition<4>(block);
    int t = block.thread_rank();
    int* mine = out + t * 16;
    mine[0] = tile_sum<32>(warp, t);
    mine[1] = tile_sum<8>(eight, t);
    mine[2] = tile_sum<4>(four, t);
    mine[3] = warp.meta_group_rank() * 100 + warp.meta_group_size();
    mine[4] = eight.meta_group_rank() * 100 + eight.meta_group_size();
    mine[5] = eight.thread_rank() + 100 * eight.size() + 10000 * four.num_threads();
    mine[6] = (int)eight.ballot(t % 3 == 0);
    mine[7] = four.any(t == 6) + 2 * four.all(t < 4) + 4 * (int)eight.match_any(t % 2);
    mine[8] = eight.shfl_up(t, 2) * 1000 + four.shfl_xor(t, 3);
    warp.sync();
    if (t % 8 < 4) {
        auto half = cg::tiled_partition<4>(block);
        mine[9] = half.shfl(t, 3);
    } else {
        mine[9] = -1;
    }
    cg::thread_group sixteen = cg::tiled_partition(block, 16);
    sixteen.sync();
    mine[10] = (int)(sixteen.thread_rank() + 100 * sixteen.size());
    mine[11] = cg::reduce(eight, t, cg::plus<int>());
    mine[12] = cg::reduce(warp, t % 7, cg::greater<int>()) * 100 + cg::reduce(four, t, cg::less<int>());
    double sum = cg::reduce(eight, t * 0.5, cg::plus<double>());
    mine[13] = (int)(sum * 2);
    mine[14] = cg::reduce(four, 1 << t % 4, cg::bit_or<int>()) + 16 * cg::reduce(four, t, cg::bit_xor<int>());
    struct Pair { int key; double value; long long more; } pair = {t, t * 0.25, t * 3ll};
    pair = four.shfl(pair, 2);
    mine[15] = pair.key + (int)(pair.value * 4) * 1000 + (int)pair.more * 1000000;
}

__device__ int aggregated(int* counter) {
    cg::coalesced_group active = cg::coalesced_threads();
    int first = 0;
    if (active.thread_rank() == 0) first = atomicAdd(counter, (int)active.size());
    return active.shfl(first, 0) + (int)active.thread_rank();
}
__global__ void filter(const int* x, int* out, int* count, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] % 3 == 0) out[aggregated(count)] = x[i];
}
__global__ void parts(int* out) {
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x;
    auto same = cg::labeled_partition(warp, t % 3);
    auto side = cg::binary_partition(warp, t < 10);
    out[t * 3] = (int)(same.size() * 100 + same.thread_rank());
    out[t * 3 + 1] = (int)(side.size() * 100 + side.thread_rank());
    out[t * 3 + 2] = same.shfl(t, 1) + 100 * side.shfl_down(t, 1);
}
)";

}  // namespace texts
