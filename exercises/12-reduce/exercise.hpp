// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 12. Leave this file as it is: the kernels go into reduce.cu, two_passes.cu and
// shuffle.cu, the launches into reduce.cpp and more_sums.cpp. No array has more than 1,000,000,000 elements: an int
// holds each index.

#include <gpu/gpu.hpp>

/// The sum of x, of shape (n,), as an array of shape (): one number, still on the device. The sum of nothing is 0.
///
/// Part a: each thread adds its element to the result with one atomicAdd.
gpu::Array<float> sum_atomic(const gpu::Array<float>& x);

/// The same sum.
///
/// Part b: each block of 256 threads adds up its elements as a tree in shared memory; then one thread of the block adds
/// that to the result. So there is one atomicAdd for each block, and at most 10 barriers.
gpu::Array<float> sum_tree(const gpu::Array<float>& x);

/// The same sum, without atomics.
///
/// Part c: two launches of one kernel. In the first, each of `blocks` blocks (1 or more, however large n is) writes the
/// sum of its elements to a place of its own; in the second, a single block adds up what the others have written.
gpu::Array<float> sum_two_passes(const gpu::Array<float>& x, int blocks);

/// The same sum, by the library: `gpu::sum`, or a gpu::ReductionKernel.
///
/// Part d.
gpu::Array<float> sum_library(const gpu::Array<float>& x);

/// What the sum of n elements costs; `none` is a number that isn't predicted yet.
struct Costs {
    static constexpr int none = -1;
    int atomics_a = none;         ///< atomic operations of sum_atomic
    int atomics_b = none;         ///< of sum_tree
    int atomics_c = none;         ///< of sum_two_passes, both launches
    int reads_c = none;           ///< floats that sum_two_passes reads from global memory, both launches
    int atomics_library = none;   ///< atomic operations of gpu::sum
    int launches_library = none;  ///< kernels that gpu::sum launches
};

/// The prediction, made without a launch: expressions of n and of sum_two_passes' `blocks`, right for any of them. For
/// the library, n is 300 to 3000.
///
/// Part d.
Costs predict_costs(int n, int blocks);

/// The same sum. It is a star: right or not, it doesn't change the exercise's verdict.
///
/// Part e: the lanes of a warp add up by __shfl_down_sync, so that a block needs one float of shared memory for each
/// warp, and one or two barriers. One atomicAdd for each block.
gpu::Array<float> sum_shuffle(const gpu::Array<float>& x);
