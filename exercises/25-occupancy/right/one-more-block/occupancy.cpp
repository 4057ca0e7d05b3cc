// SPDX-License-Identifier: MIT

// Exercise 25: what fits into a multiprocessor, what has to be under way, and a launch. The kernel stands beside, in
// add_four.cu.

#include <algorithm>
#include <cmath>

#include "exercise.hpp"

// What a multiprocessor of compute capability 9.0 has.
constexpr int max_warps = 64, max_blocks = 32, all_registers = 65536, all_shared = 228 * 1024;

int blocks_at_once(int threads, int registers, int shared) {
    // ---- your code (about 5 lines) ----
    int blocks = 0;
    const int warps = threads / 32 + (threads % 32 != 0);
    for (;; ++blocks) {  // is there room for one more?
        const int next = blocks + 1;
        const int fullest = (next * warps + 3) / 4;  // warps of the quarter that has most
        const int registers_of_warp = 32 * 8 * ((registers + 7) / 8);
        if (next > max_blocks || next * warps > max_warps) break;
        if (fullest * registers_of_warp > all_registers / 4 || next * ((shared + 1151) / 128) > all_shared / 128) break;
    }
    return blocks;
    // ---- end ----
}

double occupancy(int threads, int registers, int shared) {
    // ---- your code (about 2 lines) ----
    const double of_block = (threads + 31) / 32 / static_cast<double>(max_warps);
    return blocks_at_once(threads, registers, shared) * of_block * 100;
    // ---- end ----
}

int loads_per_thread(double latency, double bandwidth, int multiprocessors, int threads) {
    // ---- your code (about 2 lines) ----
    int loads = 1;
    while (4.0 * loads * threads * multiprocessors < latency * bandwidth) ++loads;
    return loads;
    // ---- end ----
}

gpu::Array<float> add_four(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    static const gpu::RawKernel<void(const float*, const float*, float*, int)> kernel(gpu::file("add_four.cu"),
                                                                                     "add_four");
    const int n = static_cast<int>(x.size());
    gpu::Array<float> z = gpu::empty<float>(x.shape());
    if (n == 0) return z;  // a grid has at least one block
    // ---- your code (about 2 lines) ----
    const int blocks = (n + 1023) / 1024;  // 256 threads with four elements each
    kernel({.grid = blocks, .block = 256}, x, y, z, n);
    // ---- end ----
    return z;
}
