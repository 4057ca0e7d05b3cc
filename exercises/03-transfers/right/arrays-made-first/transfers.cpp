// SPDX-License-Identifier: MIT

// Exercise 3: data that crosses between host and device, and data that never does. exercise.hpp says what each does.

#include "exercise.hpp"

std::vector<float> scale(const std::vector<float>& x, float factor) {
    // ---- your code (about 3 lines) ----
    // Memory is made first, on both sides, and then filled.
    gpu::Array<float> product = gpu::empty<float>(x.size());
    product.copy_from(x);
    product *= factor;
    std::vector<float> result(x.size());
    product.copy_to(result);
    return result;
    // ---- end ----
}

gpu::Array<float> squares(int n) {
    // ---- your code (about 3 lines) ----
    auto k = gpu::arange<float>(n);
    k *= k;
    return k;
    // ---- end ----
}

std::vector<float> windowed(const std::vector<float>& signals, const gpu::Array<float>& window) {
    // ---- your code (about 4 lines) ----
    gpu::Array<float> all = gpu::to_device(signals);
    auto rows = all.reshape({-1, window.size()});  // the same elements, seen as a matrix
    rows = window * rows;
    std::vector<float> result(signals.size());
    all.copy_to(result);
    return result;
    // ---- end ----
}
