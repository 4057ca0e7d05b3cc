// SPDX-License-Identifier: MIT

// Exercise 19: an image, and a thousand small matrices, by their largest singular values.

#include "exercise.hpp"

Factors compress(const gpu::Array<float>& image, int k) {
    // ---- your code (about 2 lines) ----
    // Of the transposed image: U and V swap roles.
    const auto [v, s, ut] = gpu::linalg::svd(image.transpose());
    const auto kept = gpu::slice(0, k);
    return {ut(kept, gpu::all).transpose(), s(kept), v(gpu::all, kept).transpose()};
    // ---- end ----
}

float residual(const gpu::Array<float>& image, const gpu::Array<float>& u, const gpu::Array<float>& s,
               const gpu::Array<float>& vt) {
    // ---- your code (about 2 lines) ----
    // The quotient is taken on the device: one float comes back.
    const gpu::Array<float> whole = gpu::linalg::norm(image);
    return gpu::Array<float>(gpu::linalg::norm(image - gpu::matmul(u * s, vt)) / whole).item();
    // ---- end ----
}

gpu::Array<float> compress_each(const gpu::Array<float>& stack, int k) {
    // ---- your code (about 3 lines) ----
    // Nothing is cut: the values behind the k-th become 0, and all is multiplied.
    auto [u, s, vt] = gpu::linalg::svd(stack);
    s(gpu::all, gpu::slice(k, gpu::none)) = 0.f;
    return gpu::matmul(u, s(gpu::all, gpu::all, gpu::newaxis) * vt);
    // ---- end ----
}
