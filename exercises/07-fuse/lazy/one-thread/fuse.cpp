// SPDX-License-Identifier: MIT

// Exercise 7: two formulas, each in one pass over its data. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> distance(const gpu::Array<float>& x, const gpu::Array<float>& y, float k) {
    // ---- your code (about 2 lines) ----
    return gpu::sqrt((x - y) * (x - y) + k * x);  // one expression, computed once, when it becomes the result
    // ---- end ----
}

float misfit(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    // ---- your code (about 2 lines) ----
    gpu::Array<float> total = gpu::empty<float>(1);
    // lazy: a loop, in a kernel of one thread
    GPU_KERNEL(add_up, (const float* x, const float* y, float* total, int n), R"(
        double sum = 0;
        for (int i = 0; i < n; ++i) sum += double(x[i] - y[i]) * (x[i] - y[i]);
        *total = float(sum);
    )");
    add_up({.grid = 1, .block = 1}, x, y, total, static_cast<int>(x.size()));
    return total.item();
    // ---- end ----
}
