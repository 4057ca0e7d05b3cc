// SPDX-License-Identifier: MIT
#pragma once

// The functions of exercise 18. Leave this file as it is: your kernels go into matmul.cu, one line into matmul.cpp.
//
// a has m rows of k elements, b has k rows of n, and the product a b has m rows of n. All are row-major; m and n are at
// least 1. k may be 0: a sum without terms is 0. None is above 100,000, and no matrix has more than 1,000,000,000
// elements.

#include <gpu/gpu.hpp>

/// The product a b.
///
/// Part a: the kernel `naive`, in blocks of 32 x 32 threads, with a thread for each element of the product.
gpu::Array<float> product_naive(const gpu::Array<float>& a, const gpu::Array<float>& b);

/// The product a b, through tiles.
///
/// Part b: the kernel `tiled`, in blocks of 16 x 16 threads. In each step the block puts a tile of a and a tile of b
/// into shared memory, so that each element is read once for 16 threads.
gpu::Array<float> product_tiled(const gpu::Array<float>& a, const gpu::Array<float>& b);

/// The product of a and the transpose of bt, by libgpu, without a copy of either.
///
/// Part c: bt has n rows of k elements: the columns of b.
gpu::Array<float> product_by_library(const gpu::Array<float>& a, const gpu::Array<float>& bt);

/// The product a b, with 8 results for each thread.
///
/// The star: the kernel `registers`, in blocks of 32 x 8 threads for 32 columns and 64 rows of the product.
gpu::Array<float> product_in_registers(const gpu::Array<float>& a, const gpu::Array<float>& b);
