// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 15. Leave this file as it is: your kernels go into histogram.cu, your launch into
// histogram.cpp. No array has more than 1,000,000,000 elements: an int holds each index.

#include <gpu/gpu.hpp>

/// How often each of 0, 1, ..., bins - 1 is among the elements of x: for x of shape (n,), an array of shape (bins,). n
/// may be 0; all elements lie in that range; there are 1 to 1024 bins.
///
/// Part a: one atomicAdd on the result for each element.
gpu::Array<int> histogram_atomic(const gpu::Array<int>& x, int bins);

/// The same, with a grid of exactly `blocks` blocks of 256 threads; `blocks` is 1 or more.
///
/// Part b: each block counts its share of x in shared memory, then adds its counts to the result: at most one atomicAdd
/// on the result for each block and bin.
gpu::Array<int> histogram_private(const gpu::Array<int>& x, int bins, int blocks);
