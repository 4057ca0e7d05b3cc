// SPDX-License-Identifier: MIT

// Exercise 7: two formulas, each in one pass over its data. exercise.hpp says what each function does.

#include "exercise.hpp"

gpu::Array<float> distance(const gpu::Array<float>& x, const gpu::Array<float>& y, float k) {
    // ---- your code (about 2 lines) ----
    static const gpu::ElementwiseKernel kernel("T x, T y, T k", "T z", "z = sqrt((x - y) * (x - y) + k * x)", "root");
    return kernel(x, y, k);
    // ---- end ----
}

float misfit(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    // ---- your code (about 2 lines) ----
    static const gpu::ReductionKernel kernel("T x, T y", "T z", "(x - y) * (x - y)", "a + b", "z = a", "0", "misfit");
    return gpu::Array<float>(kernel(x, y)).item();
    // ---- end ----
}
