// SPDX-License-Identifier: MIT
// A block copies the next tile together while it sums this one: two copies are under way, and it waits for the older.
//
// array: float x[1024] = random 8
// array: float y[128] = uninitialized
// launch: neighbour_sums<<<1, 128>>>(x, y, 8)
// check: y = sum_of_rotated_rows(x, 128) within 8 eps

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
namespace cg = cooperative_groups;

__global__ void neighbour_sums(const float* x, float* y, int rounds) {
    __shared__ float tile[2][128];
    cg::thread_block block = cg::this_thread_block();
    int t = block.thread_rank();
    cg::memcpy_async(block, tile[0], x, sizeof(float) * 128);
    float sum = 0.0f;
    for (int k = 0; k < rounds; ++k) {
        if (k + 1 < rounds) {
            cg::memcpy_async(block, tile[(k + 1) % 2], x + (k + 1) * 128, sizeof(float) * 128);
            cg::wait_prior<1>(block);
        } else {
            cg::wait(block);
        }
        sum += tile[k % 2][(t + 1) % 128];
        block.sync();
    }
    y[t] = sum;
}
