// SPDX-License-Identifier: MIT

// Exercise NUMBER: the launch. The kernel stands beside, in TOPIC.cu.

#include "exercise.hpp"

gpu::Array<float> TOPIC(const gpu::Array<float>& x) {
    static const gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::file("TOPIC.cu"), "TOPIC");
    const int n = static_cast<int>(x.size());
    gpu::Array<float> y = gpu::empty<float>(x.shape());
    // ---- your code (1 line) ----
    kernel({.grid = 1, .block = 1}, x, y, n);
    // ---- end ----
    return y;
}
