// SPDX-License-Identifier: MIT

// Exercise 19: an image, and a thousand small matrices, by their largest singular values.

#include "exercise.hpp"

Factors compress(const gpu::Array<float>& image, int k) {
    // ---- your code (about 2 lines) ----
    // V's columns are the eigenvectors of At A, S the roots of its eigenvalues; in double to the end.
    const gpu::Array<double> a = image.astype<double>();
    const auto [values, vectors] = gpu::linalg::eigh(gpu::matmul(a.transpose(), a));
    const auto largest = gpu::slice(gpu::none, -k - 1, -1);  // increasing order: from the last one on, backwards
    const gpu::Array<double> s = gpu::sqrt(values(largest)), v = vectors(gpu::all, largest);
    const gpu::Array<double> u = gpu::matmul(a, v) / s;
    return {u.astype<float>(), s.astype<float>(), v.transpose().astype<float>()};
    // ---- end ----
}

float residual(const gpu::Array<float>& image, const gpu::Array<float>& u, const gpu::Array<float>& s,
               const gpu::Array<float>& vt) {
    // ---- your code (about 2 lines) ----
    // The root of the ratio of two sums, so that one float comes back; s scales the rows of vt.
    const gpu::Array<float> left = image - gpu::matmul(u, s(gpu::all, gpu::newaxis) * vt);
    return gpu::Array<float>(gpu::sqrt(gpu::sum(left * left) / gpu::sum(image * image))).item();
    // ---- end ----
}

gpu::Array<float> compress_each(const gpu::Array<float>& stack, int k) {
    // ---- your code (about 3 lines) ----
    // A projection: A V Vt with the first k columns of V, for which no value is needed.
    const auto [u, s, vt] = gpu::linalg::svd(stack);
    const gpu::Array<float> first = vt(gpu::all, gpu::slice(0, k), gpu::all);
    return gpu::matmul(gpu::matmul(stack, first.transpose({0, 2, 1})), first);
    // ---- end ----
}
