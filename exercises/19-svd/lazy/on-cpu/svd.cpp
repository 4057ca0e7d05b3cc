// SPDX-License-Identifier: MIT

// Exercise 19: an image, and a thousand small matrices, by their largest singular values.

#include <cmath>
#include <vector>

#include "exercise.hpp"

Factors compress(const gpu::Array<float>& image, int k) {
    // ---- your code (about 2 lines) ----
    const auto [u, s, vt] = gpu::linalg::svd(image);
    return {u(gpu::all, gpu::slice(0, k)), s(gpu::slice(0, k)), vt(gpu::slice(0, k), gpu::all)};
    // ---- end ----
}

float residual(const gpu::Array<float>& image, const gpu::Array<float>& u, const gpu::Array<float>& s,
               const gpu::Array<float>& vt) {
    // ---- your code (about 2 lines) ----
    const std::vector<float> a = gpu::to_host(image), left = gpu::to_host(u), values = gpu::to_host(s),
                             right = gpu::to_host(vt);   // lazy: computed on the CPU
    const std::size_t n = std::size_t(image.shape()[1]), k = values.size();
    double off = 0, all = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < k; ++j) sum += double(left[i / n * k + j]) * values[j] * right[j * n + i % n];
        off += (a[i] - sum) * (a[i] - sum);
        all += double(a[i]) * a[i];
    }
    return float(std::sqrt(off / all));
    // ---- end ----
}

gpu::Array<float> compress_each(const gpu::Array<float>& stack, int k) {
    // ---- your code (about 3 lines) ----
    const auto [u, s, vt] = gpu::linalg::svd(stack);   // of shapes (count, m, r), (count, r) and (count, r, n)
    const auto scaled = u(gpu::all, gpu::all, gpu::slice(0, k)) * s(gpu::all, gpu::newaxis, gpu::slice(0, k));
    return gpu::matmul(scaled, vt(gpu::all, gpu::slice(0, k), gpu::all));
    // ---- end ----
}
