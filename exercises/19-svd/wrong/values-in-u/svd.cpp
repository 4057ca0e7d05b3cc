// SPDX-License-Identifier: MIT

// Exercise 19: an image, and a thousand small matrices, by their largest singular values.

#include "exercise.hpp"

Factors compress(const gpu::Array<float>& image, int k) {
    // ---- your code (about 2 lines) ----
    const auto [u, s, vt] = gpu::linalg::svd(image);
    // wrong: the product is right, and U isn't orthogonal any more
    return {u(gpu::all, gpu::slice(0, k)) * s(gpu::slice(0, k)), gpu::ones<float>({k}), vt(gpu::slice(0, k), gpu::all)};
    // ---- end ----
}

float residual(const gpu::Array<float>& image, const gpu::Array<float>& u, const gpu::Array<float>& s,
               const gpu::Array<float>& vt) {
    // ---- your code (about 2 lines) ----
    const gpu::Array<float> difference = image - gpu::matmul(u * s, vt);   // u * s scales the columns of u
    return gpu::linalg::norm(difference).item() / gpu::linalg::norm(image).item();
    // ---- end ----
}

gpu::Array<float> compress_each(const gpu::Array<float>& stack, int k) {
    // ---- your code (about 3 lines) ----
    const auto [u, s, vt] = gpu::linalg::svd(stack);   // of shapes (count, m, r), (count, r) and (count, r, n)
    const auto scaled = u(gpu::all, gpu::all, gpu::slice(0, k)) * s(gpu::all, gpu::newaxis, gpu::slice(0, k));
    return gpu::matmul(scaled, vt(gpu::all, gpu::slice(0, k), gpu::all));
    // ---- end ----
}
