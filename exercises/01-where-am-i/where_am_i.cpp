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
    // TODO: Run the kernel: kernel({.grid = ..., .block = ...}, block_of, thread_of);
    // ---- end ----
    return {std::move(block_of), std::move(thread_of)};
}

Numbers predict_numbers(int n, int block, int i) {
    Numbers predicted;
    // ---- your code (6 predictions) ----
    // TODO: Predict, for any n, block and i: replace each `none` by an expression of them.
    predicted.blocks = Numbers::none;
    predicted.threads = Numbers::none;
    predicted.idle_threads = Numbers::none;
    predicted.block_of_i = Numbers::none;
    predicted.thread_of_i = Numbers::none;
    predicted.lane_of_i = Numbers::none;
    // ---- end ----
    return predicted;
}

Place predict_place(Thing thing) {
    switch (thing) {
    // ---- your code (6 predictions) ----
    // TODO: Replace each `none` by `host` or `device`.
    case Thing::elements_of_x: return Place::none;
    case Thing::elements_of_d: return Place::none;
    case Thing::value_of_total: return Place::none;
    case Thing::value_of_number: return Place::none;
    case Thing::body_of_add_one: return Place::none;
    case Thing::body_of_lambda: return Place::none;
    // ---- end ----
    }
    return Place::none;
}
