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
    const int warps = (threads - 1) / 32 + 1;
    const int rounded = registers % 8 == 0 ? registers : registers + 8 - registers % 8;
    const int warps_of_quarter = all_registers / (4 * 32 * rounded);
    const int limits[] = {max_blocks, max_warps / warps, 4 * warps_of_quarter / warps,
                          all_shared / 128 / ((shared + 127) / 128 + 8)};
    return *std::min_element(std::begin(limits), std::end(limits));
    // ---- end ----
}

double occupancy(int threads, int registers, int shared) {
    // ---- your code (about 2 lines) ----
    const int warps = (threads + 31) / 32;
    return blocks_at_once(threads, registers, shared) * warps / 0.64;
    // ---- end ----
}

int loads_per_thread(double latency, double bandwidth, int multiprocessors, int threads) {
    // ---- your code (about 2 lines) ----
    const double of_thread = latency * bandwidth / multiprocessors / threads;  // bytes
    return static_cast<int>(std::ceil(of_thread / sizeof(float)));
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
