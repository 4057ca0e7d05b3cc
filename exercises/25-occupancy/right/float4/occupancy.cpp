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
    const auto up = [](int value, int unit) { return (value + unit - 1) / unit * unit; };
    const int warps = up(threads, 32) / 32, of_quarter = all_registers / 4;
    int blocks = std::min(max_blocks, max_warps / warps);
    blocks = std::min(blocks, of_quarter / up(32 * registers, 256) * 4 / warps);
    return std::min(blocks, all_shared / up(shared + 1024, 128));
    // ---- end ----
}

double occupancy(int threads, int registers, int shared) {
    // ---- your code (about 2 lines) ----
    const int lanes = 32 * ((threads + 31) / 32);
    return 100.0 * blocks_at_once(threads, registers, shared) * lanes / 2048;
    // ---- end ----
}

int loads_per_thread(double latency, double bandwidth, int multiprocessors, int threads) {
    // ---- your code (about 2 lines) ----
    const double loads = latency * bandwidth / (4.0 * multiprocessors * threads);
    return static_cast<int>(loads) + (loads > static_cast<int>(loads));
    // ---- end ----
}

gpu::Array<float> add_four(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    static const gpu::RawKernel<void(const float*, const float*, float*, int)> kernel(gpu::file("add_four.cu"),
                                                                                     "add_four");
    const int n = static_cast<int>(x.size());
    gpu::Array<float> z = gpu::empty<float>(x.shape());
    if (n == 0) return z;  // a grid has at least one block
    // ---- your code (about 2 lines) ----
    kernel({.grid = (n / 4 + (n % 4 > 0) + 255) / 256, .block = 256}, x, y, z, n);
    // ---- end ----
    return z;
}
