// SPDX-License-Identifier: MIT
#pragma once

// The functions of exercise 11, whose kernels have one mistake each. Leave this file as it is: what you repair stands
// in the .cu files and in bug_hunt.cpp. No array is empty, or has more than 1,000,000,000 elements, or 100,000 rows or
// columns.

#include <gpu/gpu.hpp>

/// Part a: multiplies each pixel of the image by `factor`, in place; none becomes brighter than 1, which is white.
///
/// The image has shape (rows, columns).
void brighten(gpu::Array<float>& image, float factor);

/// Part b: the rows of a, each times its weight, added up: y[column] is the sum of weights[row] * a[row, column].
///
/// a has shape (rows, columns), weights (rows,) and the result (columns,).
gpu::Array<float> weighted_sum(const gpu::Array<float>& a, const gpu::Array<float>& weights);

/// Part c: an array in which each element is the mean of that of x and the one to its left; the first one stays.
///
/// x has shape (n,), and keeps its values. n is 1 or more.
gpu::Array<float> soften(const gpu::Array<float>& x);

/// Part d: the largest absolute value of each column of a. a has shape (rows, columns), the result (columns,).
gpu::Array<float> peaks(const gpu::Array<float>& a);
