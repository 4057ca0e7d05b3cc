// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 14. Leave this file as it is: your kernels go into row_softmax.cu, your launches
// into row_softmax.cpp. No array has more than 1,000,000,000 elements: an int holds each index.

#include <gpu/gpu.hpp>

/// The largest element of each row of a: for a of shape (rows, columns), an array of shape (rows,). There is at least
/// one row, and at least one column.
///
/// One block of 256 threads for each row. A row may have fewer elements than the block has threads, or more.
gpu::Array<float> row_max(const gpu::Array<float>& a);

/// The softmax of each row, b[i] = exp(a[i] - m) / sum of all exp(a[j] - m), where m is the row's largest element: an
/// array of a's shape. A row has at most 8192 elements, so that it fits into a block's shared memory.
///
/// One block of 256 threads for each row here, too. Without m, exp(89) would be infinite. An element -inf becomes 0; a
/// row of nothing but -inf becomes NaN, since -inf - -inf is.
gpu::Array<float> softmax(const gpu::Array<float>& a);

/// The same. Star: each element of a is read once.
gpu::Array<float> softmax_once(const gpu::Array<float>& a);
