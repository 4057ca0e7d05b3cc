// SPDX-License-Identifier: MIT

// Exercise 4: the largest eigenvalue of a symmetric matrix, by power iteration. exercise.hpp says what it returns, and
// how often it may copy and wait.

#include "exercise.hpp"

std::pair<double, int> largest_eigenvalue(const gpu::Array<double>& a, const gpu::Array<double>& start,
                                          double tolerance, int max_steps) {
    // ---- your code (about 10 lines) ----
    gpu::Array<double> x = start;
    for (int step = 1; step < max_steps; ++step) {  // never looks, and so never stops early
        const gpu::Array<double> y = gpu::sum(a * x, {.axis = 1});
        x = y / gpu::linalg::norm(y);
    }
    return {gpu::sum(x * gpu::sum(a * x, {.axis = 1})).item(), max_steps};
    // ---- end ----
}
