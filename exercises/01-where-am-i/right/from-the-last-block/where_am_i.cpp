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
    kernel({.grid = {grid, 1, 1}, .block = {block, 1, 1}}, block_of, thread_of);  // all three lengths
    // ---- end ----
    return {std::move(block_of), std::move(thread_of)};
}

Numbers predict_numbers(int n, int block, int i) {
    Numbers predicted;
    // ---- your code (6 predictions) ----
    // By the last element, n - 1: its block is the last one, and behind it there are the idle threads.
    const int last = n - 1;
    predicted.blocks = last / block + 1;
    predicted.idle_threads = block - 1 - last % block;
    predicted.threads = n + predicted.idle_threads;
    predicted.block_of_i = i / block;
    predicted.thread_of_i = i - i / block * block;
    predicted.lane_of_i = predicted.thread_of_i & 31;  // 32 is a power of two: the last five bits
    // ---- end ----
    return predicted;
}

Place predict_place(Thing thing) {
    switch (thing) {
    // ---- your code (6 predictions) ----
    // A table, in the order of the enumeration.
    default: {
        static constexpr Place places[] = {Place::host, Place::device, Place::device,
                                           Place::host, Place::device, Place::host};
        return places[static_cast<int>(thing)];
    }
    // ---- end ----
    }
    return Place::none;
}
