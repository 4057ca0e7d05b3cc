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
    const int warps = (threads + 31) / 32;                               // one that is begun counts whole
    const int of_warp = 32 * ((registers + 7) / 8 * 8);                  // of each thread by eights
    const int by_registers = 4 * (all_registers / 4 / of_warp) / warps;  // whole warps in each quarter, whole blocks
    const int of_block = (shared + 1024 + 127) / 128 * 128;
    return std::min({max_blocks, max_warps / warps, by_registers, all_shared / of_block});
    // ---- end ----
}

double occupancy(int threads, int registers, int shared) {
    // ---- your code (about 2 lines) ----
    const int warps = blocks_at_once(threads, registers, shared) * ((threads + 31) / 32);
    return 100.0 * warps / max_warps;  // of warps, not of blocks or threads
    // ---- end ----
}

int loads_per_thread(double latency, double bandwidth, int multiprocessors, int threads) {
    // ---- your code (about 2 lines) ----
    const double under_way = latency * bandwidth / multiprocessors;  // Little's law, for one multiprocessor
    return static_cast<int>(std::ceil(under_way / (4 * threads)));   // a part of a load isn't enough
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
