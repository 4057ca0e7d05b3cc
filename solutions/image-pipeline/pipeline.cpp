// SPDX-License-Identifier: MIT

// The capstone's host code, one way to make it fast: three launches, no copies, and nobody waits.

#include "pipeline.hpp"

using Byte = std::uint8_t;

std::pair<gpu::Array<Byte>, gpu::Array<int>> find_edges(const gpu::Array<Byte>& image) {
    static const gpu::RawModule module(gpu::file("pipeline.cu"));
    static const auto strengths = module.kernel<void(const Byte*, Byte*, int*, int, int)>("strengths");
    static const auto find_level = module.kernel<void(const int*, int*, int)>("find_level");
    static const auto threshold = module.kernel<void(const Byte*, Byte*, const int*, int)>("threshold");
    const int rows = static_cast<int>(image.shape()[0]), columns = static_cast<int>(image.shape()[1]);
    const int n = rows * columns;

    gpu::Array<Byte> strength = gpu::empty<Byte>(image.shape()), edges = gpu::empty<Byte>(image.shape());
    gpu::Array<int> histogram = gpu::zeros<int>(256), level = gpu::empty<int>(1);
    strengths({.grid = {(columns + 63) / 64, (rows + 15) / 16}, .block = 256}, image, strength, histogram, rows,
              columns);
    find_level({.grid = 1, .block = 256}, histogram, level, n / 10);
    threshold({.grid = (n / 4 + 256) / 256, .block = 256}, strength, edges, level, n);
    return {std::move(edges), std::move(histogram)};
}
