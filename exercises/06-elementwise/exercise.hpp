// SPDX-License-Identifier: MIT
#pragma once

// The functions to write in exercise 6. Leave this file as it is: your code goes into elementwise.cpp.

#include <gpu/gpu.hpp>

/// A kernel that computes (x - y)² for each element, for arrays of one element type.
///
/// It is called with two arrays of float, of double and of int, and must give the same type back.
const gpu::ElementwiseKernel& squared_diff();

/// 25.4 * x for each element, computed in float.
///
/// On many GPUs an operation of doubles takes 64 times as long as one of floats.
gpu::Array<float> millimetres(const gpu::Array<float>& inches);

/// Pulls each element towards 0 by `threshold`, t: x - t above t, x + t below -t, and 0 in between.
///
/// Denoising calls it soft thresholding. `threshold` is positive and finite.
gpu::Array<float> shrink(const gpu::Array<float>& x, float threshold);

/// Multiplies each row of `counts`, of shape (rows, columns), by `weights`, of shape (columns,).
///
/// A detector's counts go up to 2^27. A float can't hold all of them: the product is one of doubles, and exact.
gpu::Array<double> weigh(const gpu::Array<int>& counts, const gpu::Array<float>& weights);
