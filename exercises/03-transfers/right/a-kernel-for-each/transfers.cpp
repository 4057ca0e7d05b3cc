// SPDX-License-Identifier: MIT

// Exercise 3: data that crosses between host and device, and data that never does. exercise.hpp says what each does.

#include "exercise.hpp"

std::vector<float> scale(const std::vector<float>& x, float factor) {
    // ---- your code (about 3 lines) ----
    return gpu::to_host(gpu::to_device(x) * factor);  // an expression, which a kernel computes when it goes down
    // ---- end ----
}

gpu::Array<float> squares(int n) {
    // ---- your code (about 3 lines) ----
    // A kernel of one's own, which makes each square of its index.
    static const gpu::ElementwiseKernel square_of_index("", "float y", "y = float(i) * float(i)", "square_of_index");
    gpu::Array<float> result = gpu::empty<float>(n);
    square_of_index(gpu::out(result));
    return result;
    // ---- end ----
}

std::vector<float> windowed(const std::vector<float>& signals, const gpu::Array<float>& window) {
    // ---- your code (about 4 lines) ----
    // No matrix: each element finds its place in the window by the remainder of its index.
    static const gpu::ElementwiseKernel multiply("raw float window", "float x", "x *= window[i % window.size()]",
                                                 "multiply");
    gpu::Array<float> all = gpu::to_device(signals);
    multiply(window, gpu::out(all));
    return gpu::to_host(all);
    // ---- end ----
}
