// SPDX-License-Identifier: MIT

// Exercise 8: the launches. The kernels stand beside, in raw_add.cu.

#include "exercise.hpp"

using Binary = void(const float*, const float*, float*, int);

gpu::Array<float> add(const gpu::Array<float>& x, const gpu::Array<float>& y) {
    static const gpu::RawKernel<Binary> kernel(gpu::file("raw_add.cu"), "add");
    const int n = static_cast<int>(x.size());
    gpu::Array<float> z = gpu::empty<float>(x.shape());
    if (n == 0) return z;  // a grid has at least one block
    // ---- your code (about 2 lines) ----
    const int blocks = n < 256 * 1024 ? (n + 255) / 256 : 1024;
    kernel({.grid = blocks, .block = 256}, x, y, z, n);
    // ---- end ----
    return z;
}

gpu::Array<float> mul(const gpu::Array<float>& x, const gpu::Array<float>& y, int blocks) {
    static const gpu::RawKernel<Binary> kernel(gpu::file("raw_add.cu"), "mul");
    const int n = static_cast<int>(x.size());
    gpu::Array<float> z = gpu::empty<float>(x.shape());
    // ---- your code (1 line) ----
    kernel({.grid = blocks, .block = 256}, x, y, z, n);  // right for every grid: the stride does the rest
    // ---- end ----
    return z;
}
