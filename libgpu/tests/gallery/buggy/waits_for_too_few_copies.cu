// SPDX-License-Identifier: MIT
// All but the last two groups are waited for where all but the last one have to be: a tile is read one round too early.
//
// array: float x[1024] = random 8
// array: float y[128] = uninitialized
// launch: neighbour_sums<<<1, 128>>>(x, y, 8)
// finding: missing barrier, lines 22 26, variable tile

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void neighbour_sums(const float* x, float* y, int rounds) {
    __shared__ float tile[2][128];
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    float sum = 0.0f;
    for (int k = 0; k < rounds + 1; ++k) {
        if (k == rounds) {
            cg::wait(block);
        } else {
            cg::memcpy_async(block, tile[k % 2], x + k * 128, sizeof(float) * 128);
            cg::wait_prior<2>(block);
        }
        if (k > 0) {
            sum += tile[(k - 1) % 2][(t + 1) % 128];
        }
        block.sync();
    }
    y[t] = sum;
}
