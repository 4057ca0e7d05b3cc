// SPDX-License-Identifier: MIT

// Exercise 22: a block of 256 threads scans a piece of 512 elements.

#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

__global__ void scan_piece(const int* x, int* y, int* totals, int n) {
    __shared__ int part[512];
    const int t = threadIdx.x, first = blockIdx.x * 512;
    part[t] = first + t < n ? x[first + t] : 0;
    part[t + 256] = first + t + 256 < n ? x[first + t + 256] : 0;
    // ---- your code (about 10 lines) ----
    // Pairs in registers; each warp scans its 32 pair sums, and the first warp the 8 sums of the warps.
    namespace cg = cooperative_groups;
    __shared__ int warps[8];
    const auto block = cg::this_thread_block();
    const auto warp = cg::tiled_partition<32>(block);
    block.sync();
    const int low = part[2 * t], high = part[2 * t + 1];
    const int upto = cg::inclusive_scan(warp, low + high);
    if (warp.thread_rank() == 31) warps[warp.meta_group_rank()] = upto;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        const int mine = t < 8 ? warps[t] : 0, before = cg::exclusive_scan(warp, mine);
        if (t < 8) warps[t] = before;
    }
    block.sync();
    const int sum = upto + warps[warp.meta_group_rank()];
    part[2 * t] = sum - high;
    part[2 * t + 1] = sum;
    block.sync();
    // ---- end ----
    if (first + t < n) y[first + t] = part[t];
    if (first + t + 256 < n) y[first + t + 256] = part[t + 256];
    if (t == 0) totals[blockIdx.x] = part[511];
}

__global__ void add_before(const int* totals, int* y, int n) {
    // ---- your code (about 4 lines) ----
    const int before = blockIdx.x > 0 ? totals[blockIdx.x - 1] : 0;  // inclusive: the piece before is the last in it
    const int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) y[i] += before;
    if (i + 256 < n) y[i + 256] += before;
    // ---- end ----
}
