// SPDX-License-Identifier: MIT

// Exercise 4: the largest eigenvalue of a symmetric matrix, by power iteration. exercise.hpp says what it returns, and
// how often it may copy and wait.

#include "exercise.hpp"

std::pair<double, int> largest_eigenvalue(const gpu::Array<double>& a, const gpu::Array<double>& start,
                                          double tolerance, int max_steps) {
    // ---- your code (about 10 lines) ----
    const gpu::Array<float> matrix = a.astype<float>();  // half the bytes, and half the digits
    gpu::Array<float> x = start.astype<float>();
    for (int step = 1;; ++step) {
        const gpu::Array<float> y = gpu::sum(matrix * x, {.axis = 1});
        if (step % interval == 0) {
            const gpu::Array<float> value = gpu::sum(x * y);
            const gpu::Array<float> residual = gpu::linalg::norm(y - value * x) / value;
            if (residual.item() <= tolerance || step == max_steps) return {value.item(), step};
        }
        x = y / gpu::linalg::norm(y);
    }
    // ---- end ----
}
