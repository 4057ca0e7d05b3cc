// SPDX-License-Identifier: MIT
#pragma once

// The functions of exercise 16. Leave this file as it is: your kernels go into conv2d.cu, the launch into conv2d.cpp.
// An image has 1 to 100,000 rows, as many columns, and at most 1,000,000,000 pixels: an int holds each index, and a
// grid all blocks.

#include <vector>

#include <gpu/gpu.hpp>

/// The image convolved with a filter of 3 x 3 weights (9 numbers, row by row), in the image's shape (rows, columns):
///
///     result(row, column) = sum over i, j of weights(i, j) * image(row + 1 - i, column + 1 - j)
///
/// The minus signs make it a convolution: weight (0, 0) goes with the pixel to the lower right. Beyond the edge lies
/// the nearest pixel of the image: row -1 is row 0, row `rows` is row `rows` - 1, and so for columns.
///
/// Part a: the kernel `naive`, in blocks of 32 x 8 threads. Each thread reads its 9 pixels from global memory.
gpu::Array<float> convolve_naive(const gpu::Array<float>& image, const std::vector<float>& weights);

/// The same, through a tile.
///
/// Part b: the kernel `tiled`, in blocks of 16 x 16 threads. The block loads its 16 x 16 pixels and those around them,
/// a halo, into shared memory: 18 x 18 cells. All wait at one barrier. Then each thread computes one pixel from the
/// tile.
gpu::Array<float> convolve_tiled(const gpu::Array<float>& image, const std::vector<float>& weights);
