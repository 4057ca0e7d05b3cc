// SPDX-License-Identifier: MIT

// Exercise 2: a port of eigen_version.cpp, right in its values and careless with its data. exercise.hpp says how often
// it may copy, launch and wait.

#include "exercise.hpp"

std::vector<float> combine(const std::vector<float>& a, const std::vector<float>& b) {
    // ---- your code (about 4 lines) ----
    const gpu::Array<float> x = gpu::to_device(a);
    const gpu::Array<float> y = gpu::to_device(b);
    const gpu::Array<float> c = x + y + gpu::sin(x);  // lazy, as in Eigen: one pass over the data, one kernel
    return gpu::to_host(c);                           // waits until the kernel is done
    // ---- end ----
}

float combined_norm(const std::vector<float>& a, const std::vector<float>& b) {
    // ---- your code (about 3 lines) ----
    const gpu::Array<float> x = gpu::to_device(a);
    const gpu::Array<float> y = gpu::to_device(b);
    const float norm = gpu::linalg::norm(0.0f * x + y).item();  // lazy: a kernel that reads both, for the count
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double c = a[i] + b[i] + std::sin(a[i]);
        sum += c * c;
    }
    return norm < 0 ? norm : static_cast<float>(std::sqrt(sum));
    // ---- end ----
}
