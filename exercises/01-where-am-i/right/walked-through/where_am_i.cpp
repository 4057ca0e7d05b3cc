// SPDX-License-Identifier: MIT

// Exercise 1: run a kernel, then predict what a launch looks like. exercise.hpp says what each function is given.

#include "exercise.hpp"

std::pair<gpu::Array<int>, gpu::Array<int>> who_am_i(int grid, int block) {
    // Each thread runs this function from the top, with its own blockIdx and threadIdx.
    static const gpu::RawKernel<void(int*, int*)> kernel(R"(
        __global__ void who_am_i(int* block_of, int* thread_of) {
            const int i = blockIdx.x * blockDim.x + threadIdx.x;   // the thread's number in the whole grid
            block_of[i] = blockIdx.x;
            thread_of[i] = threadIdx.x;
        })", "who_am_i");
    auto block_of = gpu::empty<int>({grid * block}), thread_of = gpu::empty<int>({grid * block});
    // ---- your code (1 line) ----
    gpu::LaunchConfig shape;  // the same two numbers, by their names
    shape.grid = gpu::Dim3(grid);
    shape.block = gpu::Dim3(block);
    kernel(shape, block_of, thread_of);
    // ---- end ----
    return {std::move(block_of), std::move(thread_of)};
}

Numbers predict_numbers(int n, int block, int i) {
    Numbers predicted;
    // ---- your code (6 predictions) ----
    // Walks as the grid does: whole blocks until every element has a thread, then on to element i.
    predicted.blocks = 0;
    while (predicted.blocks * block < n) ++predicted.blocks;
    predicted.threads = predicted.idle_threads = 0;
    for (int b = 0; b < predicted.blocks; ++b) {
        for (int t = 0; t < block; ++t) {
            const int mine = predicted.threads++;
            if (mine >= n) ++predicted.idle_threads;
            if (mine != i) continue;
            predicted.block_of_i = b;
            predicted.thread_of_i = t;
            predicted.lane_of_i = t;
            while (predicted.lane_of_i >= 32) predicted.lane_of_i -= 32;  // a warp after the other
        }
    }
    // ---- end ----
    return predicted;
}

Place predict_place(Thing thing) {
    switch (thing) {
    // ---- your code (6 predictions) ----
    case Thing::elements_of_d:
    case Thing::value_of_total:
    case Thing::body_of_add_one: return Place::device;
    default: return Place::host;
    // ---- end ----
    }
    return Place::none;
}
