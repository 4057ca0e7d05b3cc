// SPDX-License-Identifier: MIT
// Thread block and tiles as objects: tiles of 16 threads add with shuffles of their own.
//
// array: int x[128] = random 27 below 1000
// array: int y[128] = uninitialized
// launch: tile_sums<<<1, 128>>>(x, y)
// check: y = sum_of_groups(x, 16)

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void tile_sums(const int* x, int* y) {
    __shared__ int sums[8];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<16> tile = cg::tiled_partition<16>(block);
    int value = x[block.thread_rank()];
    for (int d = tile.size() / 2; d > 0; d /= 2) value += tile.shfl_down(value, d);
    if (tile.thread_rank() == 0) sums[block.thread_rank() / 16] = value;
    block.sync();
    y[block.thread_rank()] = sums[block.thread_rank() / 16];
}
