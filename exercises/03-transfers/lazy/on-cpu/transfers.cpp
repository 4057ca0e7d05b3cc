// SPDX-License-Identifier: MIT

// Exercise 3: data that crosses between host and device, and data that never does. exercise.hpp says what each does.

#include "exercise.hpp"

std::vector<float> scale(const std::vector<float>& x, float factor) {
    // ---- your code (about 3 lines) ----
    std::vector<float> product = x;  // lazy: nothing crosses over
    for (float& element : product) element *= factor;
    return product;
    // ---- end ----
}

gpu::Array<float> squares(int n) {
    // ---- your code (about 3 lines) ----
    gpu::Array<float> k = gpu::arange<float>(n);
    k = k * k;
    return k;
    // ---- end ----
}

std::vector<float> windowed(const std::vector<float>& signals, const gpu::Array<float>& window) {
    // ---- your code (about 4 lines) ----
    const std::int64_t length = window.size(), count = std::ssize(signals) / length;
    gpu::Array<float> rows = gpu::to_device({count, length}, signals);
    rows = rows * window;
    return gpu::to_host(rows);
    // ---- end ----
}
