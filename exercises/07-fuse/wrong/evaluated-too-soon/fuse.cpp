// SPDX-License-Identifier: MIT

// Exercise 7: two formulas, each in one pass over its data. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> distance(const gpu::Array<float>& x, const gpu::Array<float>& y, float k) {
    // ---- your code (about 2 lines) ----
    const auto square = ((x - y) * (x - y)).eval();  // auto hides an array: eval() computes at once
    return gpu::sqrt(square + k * x);
    // ---- end ----
}

float misfit(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    // ---- your code (about 2 lines) ----
    return gpu::sum((x - y) * (x - y)).item();  // the squares go into the sum, and never to memory
    // ---- end ----
}
