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
    // TODO: How many blocks would warps allow, how many registers, how many shared memory? The scarcest decides, and
    //       there are never more than max_blocks.
    return -1;
    // ---- end ----
}

double occupancy(int threads, int registers, int shared) {
    // ---- your code (about 2 lines) ----
    // TODO: A ratio of warps, in percent.
    return -1;
    // ---- end ----
}

int loads_per_thread(double latency, double bandwidth, int multiprocessors, int threads) {
    // ---- your code (about 2 lines) ----
    // TODO: How many bytes must one multiprocessor have under way? Divide them among its threads.
    return -1;
    // ---- end ----
}

gpu::Array<float> add_four(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    static const gpu::RawKernel<void(const float*, const float*, float*, int)> kernel(gpu::file("add_four.cu"),
                                                                                     "add_four");
    const int n = static_cast<int>(x.size());
    gpu::Array<float> z = gpu::empty<float>(x.shape());
    if (n == 0) return z;  // a grid has at least one block
    // ---- your code (about 2 lines) ----
    // TODO: How many blocks of 256 threads are enough, if each thread has four elements? Then launch.
    // ---- end ----
    return z;
}
