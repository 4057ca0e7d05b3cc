// SPDX-License-Identifier: MIT
// Half of a group's threads call its sync(), which all of them must call.
//
// array: int x[64] = ramp
// array: int y[64] = uninitialized
// launch: pairs<<<1, 64>>>(x, y)
// finding: skipped barrier, line 15, variable -

#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void pairs(const int* x, int* y) {
    auto group = cg::tiled_partition<16>(cg::this_thread_block());
    int value = x[threadIdx.x];
    if (group.thread_rank() < 8) group.sync();
    y[threadIdx.x] = value;
}
