// SPDX-License-Identifier: MIT

// Exercise 6: four elementwise kernels. You write what happens to one element; libgpu makes the loop around it.
//
//     gpu::ElementwiseKernel kernel(INPUTS, OUTPUTS, OPERATION, NAME);
//
// Each kernel stands in a static variable: it is made once, and compiled when it is called for the first time.

#include "exercise.hpp"

const gpu::ElementwiseKernel& squared_diff() {
    // ---- your code (1 line) ----
    // TODO: Mend the operation. T stands for the element type of the arrays in the call.
    static const gpu::ElementwiseKernel kernel("T x, T y", "T z", "z = 0", "squared_diff");
    // ---- end ----
    return kernel;
}

gpu::Array<float> millimetres(const gpu::Array<float>& inches) {
    // ---- your code (1 line) ----
    // TODO: Mend the operation: 25.4 times x. A literal has a type as well: which one does 25.4 have?
    static const gpu::ElementwiseKernel kernel("float x", "float z", "z = x", "millimetres");
    // ---- end ----
    return kernel(inches);
}

gpu::Array<float> shrink(const gpu::Array<float>& x, float threshold) {
    // ---- your code (about 5 lines) ----
    // TODO: The operation is C++ and may have several lines and branches. Write each one out: an element that no branch
    //       assigns keeps whatever was in memory.
    static const gpu::ElementwiseKernel kernel("T x, T t", "T z", R"(
        z = x;
    )", "shrink");
    // ---- end ----
    return kernel(x, threshold);
}

gpu::Array<double> weigh(const gpu::Array<int>& counts, const gpu::Array<float>& weights) {
    // ---- your code (about 3 lines) ----
    // TODO: Three types: X of the counts, Y of the weights, Z of the result. No input tells Z, so make the result first
    //       and pass it: kernel(counts, weights, gpu::out(z)). A row stretches over the matrix by itself.
    gpu::Array<double> z = gpu::empty<double>(counts.shape());
    // ---- end ----
    return z;
}
