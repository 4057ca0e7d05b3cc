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
    scan_pieces(x, y, totals);
    if (totals.size() > 1) {
        const gpu::Array<int> before = gpu::cumsum<int>(totals);  // lazy: a scan that is there already
        add_before({.grid = totals.size(), .block = 256}, before, y, n);
    }
    // ---- end ----
    return y;
}
