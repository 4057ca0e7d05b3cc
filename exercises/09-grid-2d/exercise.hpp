// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 9. Leave this file as it is: your kernels go into grid_2d.cu, the rest into
// grid_2d.cpp. Tables have at most 100,000 rows, as many columns, and 1,000,000,000 elements: an int holds each index,
// and a grid all blocks.

#include <gpu/gpu.hpp>

/// A table of shape (rows, columns), row-major: 1000 * row + column in each place. Both are 1 or more.
///
/// The kernel `fill` has a thread for each element, in blocks of 32 x 8 threads: x is the column, y the row.
gpu::Array<int> fill(int rows, int columns);

/// The sums of the columns of a, of shape (rows, columns) and row-major: an array of shape (columns,).
///
/// The kernel `column_sums` has a thread for each column, in blocks of 256; the thread walks down its column.
gpu::Array<float> column_sums(const gpu::Array<float>& a);

/// How many sectors of 32 bytes one request of a full warp takes in this kernel, where each thread adds up a row of its
/// own; elements have `bytes` bytes (float 4, double 8). 0: no prediction yet.
///
///     const int row = blockIdx.x * blockDim.x + threadIdx.x;
///     for (int column = 0; column < columns; ++column) sum += a[row * columns + column];   // this read
///
/// The rows lie one after the other from an address that is a multiple of 256 bytes, and nothing else is read.
int predict_sectors(int columns, int bytes);
