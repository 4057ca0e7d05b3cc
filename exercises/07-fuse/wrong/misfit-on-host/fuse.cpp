// SPDX-License-Identifier: MIT

// Exercise 7: two formulas, each in one pass over its data. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> distance(const gpu::Array<float>& x, const gpu::Array<float>& y, float k) {
    // ---- your code (about 2 lines) ----
    const auto d = x - y;
    return gpu::sqrt(d * d + k * x);
    // ---- end ----
}

float misfit(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    // ---- your code (about 2 lines) ----
    std::vector<float> hx = gpu::to_host(x), hy = gpu::to_host(y);
    float s = 0;
    for (std::size_t i = 0; i < hx.size(); ++i) s += (hx[i] - hy[i]) * (hx[i] - hy[i]);
    return s;
    // ---- end ----
}
