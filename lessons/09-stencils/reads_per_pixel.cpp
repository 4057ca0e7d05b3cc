// SPDX-License-Identifier: MIT
// Shows how many reads of global memory a pixel costs, for several tiles and radii.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

/// Global reads per pixel of the kernel, counted by check mode.
static double reads(const char* name, int tile, int radius) {
    const gpu::RawKernel<void(const float*, float*, int, int)> kernel(
        gpu::file("box.cu"), name, {{"-DTILE=" + std::to_string(tile), "-DRADIUS=" + std::to_string(radius)}});
    const int rows = 64, columns = 96;  // full tiles only
    const auto image = gpu::random::Generator(9).uniform<float>({rows, columns});
    auto result = gpu::zeros<float>({rows, columns});
    const gpu::CheckReport report = gpu::check([&] {
        kernel({.grid = {columns / tile, rows / tile}, .block = {tile, tile}}, image, result, rows, columns);
    });
    return double(report.kernels.at(0).work.global_reads) / (rows * columns);
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    for (int radius : {1, 2}) {
        const int side = 2 * radius + 1;
        std::printf("%d x %d  naive  %6.2f reads per pixel\n", side, side, reads("naive", 16, radius));
        for (int tile : {8, 16, 32})
            std::printf("       tile %2d x %2d  %.2f\n", tile, tile, reads("tiled", tile, radius));
    }
    std::printf("Answer: %.2f\n", reads("tiled", 16, 1));
    std::printf("Answer: %.2f\n", reads("tiled", 16, 2));
}
