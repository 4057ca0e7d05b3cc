// SPDX-License-Identifier: MIT

// Exercise 2: a port of eigen_version.cpp, right in its values and careless with its data. exercise.hpp says how often
// it may copy, launch and wait.

#include "exercise.hpp"

std::vector<float> combine(const std::vector<float>& a, const std::vector<float>& b) {
    // ---- your code (about 4 lines) ----
    std::vector<float> c(a.size());  // lazy: the CPU computes; the kernel adds nothing
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] + b[i] + std::sin(a[i]);
    const gpu::Array<float> x = gpu::to_device(c);
    const gpu::Array<float> y = gpu::to_device(b);
    const gpu::Array<float> same = x + 0.0f * y;
    return gpu::to_host(same);
    // ---- end ----
}

float combined_norm(const std::vector<float>& a, const std::vector<float>& b) {
    // ---- your code (about 3 lines) ----
    const gpu::Array<float> x = gpu::to_device(a);
    const gpu::Array<float> y = gpu::to_device(b);
    // The norm takes the expression itself: c is never stored, not even on the device.
    return gpu::linalg::norm(x + y + gpu::sin(x)).item();
    // ---- end ----
}
