// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 1. Leave this file as it is: your code goes into where_am_i.cpp.

#include <utility>

#include <gpu/gpu.hpp>

/// Runs the kernel who_am_i in `grid` blocks of `block` threads. The first array says of each thread in which block it
/// is, the second which number it has there.
std::pair<gpu::Array<int>, gpu::Array<int>> who_am_i(int grid, int block);

/// What you predict of a launch with a thread for each of n elements, in blocks of `block` threads, as few blocks as
/// will do. Element i belongs to the thread with the global index i.
struct Numbers {
    static constexpr int none = -1;   ///< no prediction yet
    int blocks = none;                ///< in the grid
    int threads = none;               ///< that start, all in all
    int idle_threads = none;          ///< that start and have no element
    int block_of_i = none;            ///< the block whose thread has element i: its blockIdx.x
    int thread_of_i = none;           ///< that thread's number in its block: its threadIdx.x
    int lane_of_i = none;             ///< its place in its warp of 32 threads, 0 to 31
};
Numbers predict_numbers(int n, int block, int i);

/// Where something lives or runs.
enum class Place { none, host, device };

/// Six things in this piece of a program; add_one is a kernel:
///
///     std::vector<float> x(n);
///     auto d = gpu::to_device(x);
///     auto total = gpu::sum(d);
///     float number = total.item();
///     add_one({.grid = 4, .block = 256}, d);
///     std::for_each(x.begin(), x.end(), [](float& v) { v += 1; });
enum class Thing {
    elements_of_x,
    elements_of_d,
    value_of_total,    ///< where the sum is that `total` stands for
    value_of_number,
    body_of_add_one,   ///< where the kernel's statements run
    body_of_lambda,    ///< where `v += 1` runs
};
Place predict_place(Thing thing);
