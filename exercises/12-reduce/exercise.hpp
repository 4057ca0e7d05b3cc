// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 12. Leave this file as it is: your kernels go into reduce.cu, your launches into
// reduce.cpp.

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
