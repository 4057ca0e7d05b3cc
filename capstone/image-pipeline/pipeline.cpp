// SPDX-License-Identifier: MIT

// The capstone's host code, as it is given: right, and slow. Everything here may be changed, but for what find_edges()
// takes and returns.

#include "pipeline.hpp"

using Byte = std::uint8_t;

/// The smallest level from 1 on at which no more than a tenth of the pixels are that strong.
static int level_of(const std::vector<int>& histogram, std::int64_t pixels) {
    int level = 256;
    for (std::int64_t strong = 0; level > 1; --level) {
        strong += histogram[static_cast<std::size_t>(level - 1)];
        if (strong > pixels / 10) break;
    }
    return level;
}

std::pair<gpu::Array<Byte>, gpu::Array<int>> find_edges(const gpu::Array<Byte>& image) {
    static const gpu::RawModule module(gpu::file("pipeline.cu"));
    static const auto blur = module.kernel<void(const Byte*, Byte*, int, int)>("blur");
    static const auto sobel_x = module.kernel<void(const Byte*, int*, int, int)>("sobel_x");
    static const auto sobel_y = module.kernel<void(const Byte*, int*, int, int)>("sobel_y");
    static const auto combine = module.kernel<void(const int*, const int*, int*, int)>("combine");
    static const auto count = module.kernel<void(const int*, int*, int)>("count");
    static const auto threshold = module.kernel<void(const int*, Byte*, int, int)>("threshold");
    const int rows = static_cast<int>(image.shape()[0]), columns = static_cast<int>(image.shape()[1]);
    const int n = rows * columns;
    const gpu::LaunchConfig in_2d{.grid = {columns, (rows + 255) / 256}, .block = {1, 256}};
    const gpu::LaunchConfig in_1d{.grid = (n + 255) / 256, .block = 256};

    gpu::Array<Byte> blurred = gpu::empty<Byte>(image.shape());
    blur(in_2d, image, blurred, rows, columns);
    gpu::synchronize();

    // To look at it in a debugger; and back.
    const std::vector<Byte> on_host = gpu::to_host(blurred);
    blurred = gpu::to_device({rows, columns}, on_host);

    gpu::Array<int> gx = gpu::zeros<int>(image.shape()), gy = gpu::zeros<int>(image.shape());
    sobel_x(in_2d, blurred, gx, rows, columns);
    gpu::synchronize();
    sobel_y(in_2d, blurred, gy, rows, columns);
    gpu::synchronize();
    gpu::Array<int> strength = gpu::zeros<int>(image.shape());
    combine(in_1d, gx, gy, strength, n);
    gpu::synchronize();

    gpu::Array<int> histogram = gpu::zeros<int>(256);
    count(in_1d, strength, histogram, n);
    gpu::synchronize();
    const int level = level_of(gpu::to_host(histogram), n);

    gpu::Array<Byte> edges = gpu::zeros<Byte>(image.shape());
    threshold(in_1d, strength, edges, level, n);
    gpu::synchronize();
    return {std::move(edges), std::move(histogram)};
}
