// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 22. Leave this file as it is: your kernels go into scan.cu, your launches into
// scan.cpp. No array has more than 1,000,000,000 elements: an int holds each index.

#include <gpu/gpu.hpp>

/// The inclusive scan of each piece of 512 elements of x, by itself: y[i] is the sum of the elements of i's piece up to
/// and including x[i]. x has shape (n), n is 1 or more; the last piece may be shorter.
///
/// Part a: one block of 256 threads for each piece; about two additions for each element are enough.
gpu::Array<int> scan_pieces(const gpu::Array<int>& x);

/// The inclusive scan of x: y[i] = x[0] + ... + x[i], for any n from 1 on.
///
/// Part b: scan the pieces; scan their totals; add to each piece what comes before it.
gpu::Array<int> scan(const gpu::Array<int>& x);
