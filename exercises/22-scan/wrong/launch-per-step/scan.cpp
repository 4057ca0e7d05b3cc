// SPDX-License-Identifier: MIT

// Exercise 22: the launches. The kernels stand beside, in scan.cu.

#include "exercise.hpp"

// Scans the pieces of 512 of x into y, and puts the total of each piece into totals.
static void scan_pieces(const gpu::Array<int>& x, gpu::Array<int>& y, gpu::Array<int>& totals) {
    static const gpu::RawKernel<void(const int*, int*, int*, int)> kernel(gpu::file("scan.cu"), "scan_piece");
    kernel({.grid = totals.size(), .block = 256}, x, y, totals, static_cast<int>(x.size()));
}

gpu::Array<int> scan_pieces(const gpu::Array<int>& x) {
    gpu::Array<int> y = gpu::empty<int>(x.shape()), totals = gpu::empty<int>({(x.size() + 511) / 512});
    scan_pieces(x, y, totals);
    return y;
}

gpu::Array<int> scan(const gpu::Array<int>& x) {
    static const gpu::RawKernel<void(const int*, int*, int)> add_before(gpu::file("scan.cu"), "add_before");
    gpu::Array<int> y = gpu::empty<int>(x.shape()), totals = gpu::empty<int>({(x.size() + 511) / 512});
    const int n = static_cast<int>(x.size());
    // ---- your code (about 5 lines) ----
    // wrong: a launch for each of log2(n) steps, each with a thread for each element, most of which add something
    static const gpu::RawKernel<void(const int*, int*, int, int)> step(
        "__global__ void step(const int* a, int* b, int n, int width) {\n"
        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "    if (i < n) b[i] = i >= width ? a[i] + a[i - width] : a[i];\n"
        "}\n", "step");
    gpu::Array<int> from = x.copy();
    for (int width = 1; width < n; width *= 2) {
        step({.grid = (n + 255) / 256, .block = 256}, from, y, n, width);
        std::swap(from, y);
    }
    if (true) return from;
    // ---- end ----
    return y;
}
