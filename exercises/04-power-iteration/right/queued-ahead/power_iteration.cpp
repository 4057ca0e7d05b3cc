// SPDX-License-Identifier: MIT

// Exercise 4: the largest eigenvalue of a symmetric matrix, by power iteration. exercise.hpp says what it returns, and
// how often it may copy and wait.

#include "exercise.hpp"

std::pair<double, int> largest_eigenvalue(const gpu::Array<double>& a, const gpu::Array<double>& start,
                                          double tolerance, int max_steps) {
    // ---- your code (about 10 lines) ----
    // While a look's number comes down, the device is busy with the next ten steps, which may turn out to be in vain.
    gpu::Array<double> x = start, y = start;
    const auto ten_steps = [&] {  // x and y of the look; x is divided when the next steps begin
        for (int k = 0; k < interval; ++k) {
            if (k > 0) x = y / gpu::linalg::norm(y);
            y = gpu::sum(a * x, {.axis = 1});
        }
    };
    ten_steps();
    for (int step = interval;; step += interval) {
        const gpu::Array<double> value = gpu::sum(x * y);
        const gpu::Array<double> residual = gpu::linalg::norm(y - value * x) / value;
        const auto [seen, arrived] = gpu::to_host_async(residual);
        if (step < max_steps) {
            x = y / gpu::linalg::norm(y);
            ten_steps();
        }
        arrived.synchronize();
        if (seen[0] <= tolerance || step == max_steps) return {value.item(), step};
    }
    // ---- end ----
}
