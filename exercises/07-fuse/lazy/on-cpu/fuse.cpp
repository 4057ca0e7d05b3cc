// SPDX-License-Identifier: MIT

// Exercise 7: two formulas, each in one pass over its data. exercise.hpp says what each function does.

#include <cmath>

#include "exercise.hpp"

gpu::Array<float> distance(const gpu::Array<float>& x, const gpu::Array<float>& y, float k) {
    // ---- your code (about 2 lines) ----
    std::vector<float> u = gpu::to_host(x), v = gpu::to_host(y);  // lazy: the CPU computes
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = std::sqrt((u[i] - v[i]) * (u[i] - v[i]) + k * u[i]);
    return gpu::to_device(u);
    // ---- end ----
}

float misfit(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    // ---- your code (about 2 lines) ----
    return gpu::sum((x - y) * (x - y)).item();  // the squares go into the sum, and never to memory
    // ---- end ----
}
