// SPDX-License-Identifier: MIT

// Exercise 4: the largest eigenvalue of a symmetric matrix, by power iteration. exercise.hpp says what it returns, and
// how often it may copy and wait.

#include "exercise.hpp"

std::pair<double, int> largest_eigenvalue(const gpu::Array<double>& a, const gpu::Array<double>& start,
                                          double tolerance, int max_steps) {
    // ---- your code (about 10 lines) ----
    // Reduction kernels of one's own: a row times x, a length, and a residual in one pass; x and y change places.
    static const gpu::ReductionKernel row_times("double m, double x", "double y", "m * x", "a + b", "y = a", "0",
                                                "row_times");
    static const gpu::ReductionKernel length_of("double y", "double l", "y * y", "a + b", "l = sqrt(a)", "0", "length");
    static const gpu::ReductionKernel residual_of("double y, double x, double v", "double r",
                                                  "((y - v * x) / v) * ((y - v * x) / v)", "a + b", "r = sqrt(a)", "0",
                                                  "residual");
    gpu::Array<double> x = start, y = gpu::empty<double>(start.shape());
    gpu::Array<double> length = gpu::empty<double>({});
    for (int step = 1;; ++step) {
        row_times(a, x, {.axis = 1, .out = gpu::out(y)});
        if (step % interval == 0) {
            const gpu::Array<double> value = row_times(x, y);
            const gpu::Array<double> residual = residual_of(y, x, value);
            if (residual.item() <= tolerance || step == max_steps) return {value.item(), step};
        }
        length_of(y, {.out = gpu::out(length)});
        y /= length;
        std::swap(x, y);
    }
    // ---- end ----
}
