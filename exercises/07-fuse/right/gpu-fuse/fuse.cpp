// SPDX-License-Identifier: MIT

// Exercise 7: two formulas, each in one pass over its data. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> distance(const gpu::Array<float>& x, const gpu::Array<float>& y, float k) {
    // ---- your code (about 2 lines) ----
    const auto formula = gpu::fuse([](auto a, auto b, auto c) { return gpu::sqrt((a - b) * (a - b) + c * a); });
    return formula(x, y, k);
    // ---- end ----
}

float misfit(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    // ---- your code (about 2 lines) ----
    return gpu::fuse([](auto a, auto b) { return gpu::sum((a - b) * (a - b)); })(x, y).item();
    // ---- end ----
}
