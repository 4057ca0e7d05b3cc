// SPDX-License-Identifier: MIT
// Dot product with cooperative groups: tiles of 16 threads reduce by shuffles, the block in shared memory.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int block_size = 128;
constexpr int tile_size = 16;

__global__ void dot(const float* x, const float* y, float* result, int n) {
    __shared__ float of_tile[block_size / tile_size];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<tile_size> tile = cg::tiled_partition<tile_size>(block);
    float own = 0.0f;
    for (int i = blockIdx.x * block_size + threadIdx.x; i < n; i += gridDim.x * block_size) own += x[i] * y[i];
    for (int distance = tile_size / 2; distance > 0; distance /= 2) own += tile.shfl_down(own, distance);
    if (tile.thread_rank() == 0) of_tile[block.thread_rank() / tile_size] = own;
    block.sync();
    if (block.thread_rank() >= tile_size) return;
    unsigned rank = tile.thread_rank();
    own = rank < block_size / tile_size ? of_tile[rank] : 0.0f;
    for (int distance = tile_size / 2; distance > 0; distance /= 2) own += tile.shfl_down(own, distance);
    if (rank == 0) atomicAdd(result, own);
}
