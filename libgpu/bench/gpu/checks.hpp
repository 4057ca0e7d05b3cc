// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include <gpu/gpu.hpp>

// Whether results are right: all of their elements, against values in double that plain kernels compute where the
// arrays are; they find each element by its index.
namespace bench {

using Floats = gpu::Array<float>;
using Window = gpu::View<const float>;

/// What a row computes of an element of x and one of y. The kernels know them by their number.
enum class Function : int { copy, squared_difference, sum, square_plus_twice, twice, product, square };

/// What is wrong with `z = function(x, y)`, which broadcasts; nothing if each element is within `allowed` of the value,
/// relative to it where it is larger than 1.
std::string wrong_elements(Function function, const Window& x, const Window& y, const Window& z, double allowed = 1e-6);

/// What is wrong with the sums of `function(x, y)` over these axes (none: all) of x's shape, to which y broadcasts; or
/// with the roots of the sums. `result` is dense.
struct SumsOptions {
    std::vector<int> axes = {};
    bool root = false;
    double allowed = 1e-5;
};
std::string wrong_sums(Function function, const Window& x, const Window& y, const Window& result,
                       const SumsOptions& options = {});

/// What is wrong with the position of the largest element, the first of them.
std::string wrong_argmax(const Window& x, std::int64_t position);

/// What is wrong with uniform numbers in [0, 1), or with normal ones: their range, mean, variance, and how many of 2^22
/// of them fall into each of 256 bins of equal probability.
std::string wrong_distribution(const Floats& x, bool normal);

/// What is wrong with `result = convolve2d(image, filter)` of the image's shape, the image mirrored at its edges.
std::string wrong_convolution(const Floats& image, const Floats& filter, const Floats& result);

/// What is wrong with `product = a b`, of square matrices; or with that of a's transpose and b.
std::string wrong_product(const Floats& a, const Floats& b, const Floats& product, bool transposed);

/// What is wrong with the singular values and vectors of one matrix or a batch: U S Vt, their order, U's and Vt's
/// orthogonality.
std::string wrong_svd(const Floats& a, const gpu::linalg::Svd<float>& result);

}  // namespace bench
