// SPDX-License-Identifier: MIT

// Exercise 2: a port of eigen_version.cpp, right in its values and careless with its data. exercise.hpp says how often
// it may copy, launch and wait.

#include "exercise.hpp"

std::vector<float> combine(const std::vector<float>& a, const std::vector<float>& b) {
    // ---- your code (about 4 lines) ----
    // TODO: Repair this port: 3 copies up, 2 down, 3 kernels, 7 waits. Which of them does the result need?
    const gpu::Array<float> x = gpu::to_device(a);
    const std::vector<float> sine = gpu::to_host(gpu::sin(x));  // sin(a), for the sum below
    const gpu::Array<float> y = gpu::to_device(b);
    const gpu::Array<float> sum = x + y;
    gpu::synchronize();  // the sum must be there before it is used
    const gpu::Array<float> c = sum + gpu::to_device(sine);
    gpu::synchronize();  // and so must c
    return gpu::to_host(c);
    // ---- end ----
}

float combined_norm(const std::vector<float>& a, const std::vector<float>& b) {
    // ---- your code (about 3 lines) ----
    // TODO: The same here. Where is c needed, on the host or on the device? And what has to come back?
    const gpu::Array<float> c = gpu::to_device(combine(a, b));
    const gpu::Array<float> squares = c * c;
    const gpu::Array<float> norm = gpu::sqrt(gpu::sum(squares));
    gpu::synchronize();
    return gpu::to_host(norm)[0];
    // ---- end ----
}
