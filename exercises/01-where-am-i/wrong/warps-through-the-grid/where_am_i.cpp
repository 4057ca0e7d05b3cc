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
    kernel({.grid = grid, .block = block}, block_of, thread_of);
    // ---- end ----
    return {std::move(block_of), std::move(thread_of)};
}

Numbers predict_numbers(int n, int block, int i) {
    Numbers predicted;
    // ---- your code (6 predictions) ----
    predicted.blocks = (n + block - 1) / block;                 // rounded up
    predicted.threads = predicted.blocks * block;               // there are no partial blocks
    predicted.idle_threads = predicted.threads - n;
    predicted.block_of_i = i / block;
    predicted.thread_of_i = i % 32;                             // wrong: the number in a warp, not in a block
    predicted.lane_of_i = i % 32;                               // wrong: each block starts with a new warp
    // ---- end ----
    return predicted;
}

Place predict_place(Thing thing) {
    switch (thing) {
    // ---- your code (6 predictions) ----
    case Thing::elements_of_x: return Place::host;
    case Thing::elements_of_d: return Place::device;
    case Thing::value_of_total: return Place::host;      // wrong: gpu::sum returns an array, on the device
    case Thing::value_of_number: return Place::host;     // item() waits for the sum and copies it
    case Thing::body_of_add_one: return Place::device;
    case Thing::body_of_lambda: return Place::host;      // an ordinary function: to_device copied x, and x is here
    // ---- end ----
    }
    return Place::none;
}
