// SPDX-License-Identifier: MIT

// Exercise 6: four elementwise kernels. You write what happens to one element; libgpu makes the loop around it.
//
//     gpu::ElementwiseKernel kernel(INPUTS, OUTPUTS, OPERATION, NAME);
//
// Each kernel stands in a static variable: it is made once, and compiled when it is called for the first time.

#include "exercise.hpp"

const gpu::ElementwiseKernel& squared_diff() {
    // ---- your code (1 line) ----
    static const gpu::ElementwiseKernel kernel("T x, T y", "T z", "z = (x - y) * (x - y)", "squared_diff");
    // ---- end ----
    return kernel;
}

gpu::Array<float> millimetres(const gpu::Array<float>& inches) {
    // ---- your code (1 line) ----
    // Without the f, 25.4 is a double, and so is its product with x.
    static const gpu::ElementwiseKernel kernel("float x", "float z", "z = 25.4f * x", "millimetres");
    // ---- end ----
    return kernel(inches);
}

gpu::Array<float> shrink(const gpu::Array<float>& x, float threshold) {
    // ---- your code (about 5 lines) ----
    // The last branch assigns as well: z is not 0 to begin with.
    static const gpu::ElementwiseKernel kernel("T x, T t", "T z", R"(
        if (x > t) z = x - t;
        else if (x < -t) z = x + t;
        else z = 0;
    )", "shrink");
    // ---- end ----
    return kernel(x, threshold);
}

gpu::Array<double> weigh(const gpu::Array<int>& counts, const gpu::Array<float>& weights) {
    // ---- your code (about 3 lines) ----
    static const gpu::ElementwiseKernel kernel("raw X x, raw Y y", "raw Z z", R"(
        for (long long k = 0; k < x.size(); ++k)  // lazy: a call for one element, which runs through all
            z[k] = double(x[k]) * y[k % y.size()];
    )", "weigh");
    gpu::Array<double> z = gpu::empty<double>(counts.shape());
    kernel(counts, weights, gpu::out(z), {.size = 1});
    // ---- end ----
    return z;
}
