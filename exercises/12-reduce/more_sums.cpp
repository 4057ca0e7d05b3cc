// SPDX-License-Identifier: MIT

// Exercise 12, parts c to e: the host's part. The kernels stand beside, in two_passes.cu and shuffle.cu.

#include "exercise.hpp"

using Sum = void(const float*, float*, int);

gpu::Array<float> sum_two_passes(const gpu::Array<float>& x, int blocks) {
    static const gpu::RawKernel<Sum> kernel(gpu::file("two_passes.cu"), "sum_blocks");
    const int n = static_cast<int>(x.size());
    // ---- your code (about 4 lines) ----
    // TODO: 1. An array for the sums of the blocks: gpu::empty will do. Why?
    //       2. Launch the kernel twice: with `blocks` blocks over x, then with a single one over those sums.
    gpu::Array<float> total = gpu::full<float>({}, -1);  // replace this
    // ---- end ----
    return total;
}

gpu::Array<float> sum_library(const gpu::Array<float>& x) {
    // ---- your code (1 line) ----
    // TODO: The library's sum. It stays on the device.
    return gpu::full<float>({}, -1);  // replace this
    // ---- end ----
}

Costs predict_costs(int n, int blocks) {
    Costs costs;
    // ---- your code (6 lines) ----
    // TODO: Predict each of the six numbers, as an expression of n and blocks: costs.atomics_a = ...; and so on.
    //       exercise.hpp says what they are.
    // ---- end ----
    return costs;
}

gpu::Array<float> sum_shuffle(const gpu::Array<float>& x) {
    static const gpu::RawKernel<Sum> kernel(gpu::file("shuffle.cu"), "sum_shuffle");
    const int n = static_cast<int>(x.size());
    gpu::Array<float> total = gpu::zeros<float>({});
    if (n > 0) kernel({.grid = (n + 255) / 256, .block = 256}, x, total, n);
    return total;
}
