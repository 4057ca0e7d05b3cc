// SPDX-License-Identifier: MIT
// The Mandelbrot set in three ways: by masks, by arrays that shrink, and by a kernel with a loop.
#pragma once

#include <gpu/gpu.hpp>

using Complex = gpu::complex<float>;
constexpr int max_steps = 60;

// [masks]
inline gpu::Array<int> by_masks(const gpu::Array<Complex>& c) {
    gpu::Array<Complex> z = gpu::zeros_like(c);
    gpu::Array<int> steps = gpu::zeros<int>(c.shape());
    gpu::Array<bool> inside = gpu::ones<bool>(c.shape());
    for (int k = 0; k < max_steps; ++k) {
        z[inside] = z[inside] * z[inside] + c[inside];
        steps[inside] += 1;
        inside = inside & (gpu::abs(z) <= 2);
    }
    return steps;
}
// [/masks]

// [shrinking]
inline gpu::Array<int> by_indices(const gpu::Array<Complex>& c) {
    gpu::Array<int> steps = gpu::zeros<int>(c.shape());
    gpu::Array<Complex> left = c.reshape({-1}), z = gpu::zeros_like(left);
    gpu::Array<int> pixel = gpu::arange<int>(c.size());  // where each of those left belongs
    for (int k = 0; k < max_steps && left.size() > 0; ++k) {
        z = z * z + left;
        steps.put(pixel, k + 1, {.axis = gpu::none});
        const gpu::Array<bool> inside = gpu::abs(z) <= 2;
        z = gpu::compress(inside, z);
        left = gpu::compress(inside, left);
        pixel = gpu::compress(inside, pixel);
    }
    return steps;
}
// [/shrinking]

// [loop]
constexpr const char* loop = R"(
    C z = 0;
    int k = 0;  // a register; steps lies in memory, and is written once
    while (k < 60 && abs(z) <= 2) { z = z * z + c; ++k; }
    steps = k;)";
inline const gpu::ElementwiseKernel by_loop("C c", "int steps", loop, "by_loop");
// [/loop]
