// SPDX-License-Identifier: MIT
#pragma once

// The functions of exercise 19. Leave this file as it is: your code goes into svd.cpp.

#include <tuple>

#include <gpu/gpu.hpp>

/// U, S and Vt of a singular value decomposition: the matrix is U diag(S) Vt.
using Factors = std::tuple<gpu::Array<float>, gpu::Array<float>, gpu::Array<float>>;

/// Part a: what is kept of an image of shape (m, n): its k largest singular values, in decreasing order, and their
/// vectors.
///
/// The shapes are (m, k), (k,) and (k, n), for k from 1 to the rank of the image. An image of 128 x 192 numbers with
/// k = 20 becomes 20 * (128 + 1 + 192) numbers, a quarter.
Factors compress(const gpu::Array<float>& image, int k);

/// Part b: how far U diag(S) Vt is from the image, |image - U diag(S) Vt| / |image|, both in Frobenius' norm.
///
/// The factors may be anybody's, right or wrong; the image isn't 0. The work is the device's: one or two floats come
/// back.
float residual(const gpu::Array<float>& image, const gpu::Array<float>& u, const gpu::Array<float>& s,
               const gpu::Array<float>& vt);

/// Part c: each matrix of a stack of shape (count, m, n), replaced by what its own k largest singular values give;
/// k goes from 1 to the smaller of m and n.
///
/// The result has the shape of the stack. One call decomposes all: launches, allocations and waits don't grow with
/// count.
gpu::Array<float> compress_each(const gpu::Array<float>& stack, int k);
