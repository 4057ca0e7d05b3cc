// SPDX-License-Identifier: MIT
// Measures the same filter with and without a tile, for growing radii.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int rows = on_gpu ? 8192 : 256, columns = rows;
    const auto image = gpu::random::Generator(9).uniform<float>({rows, columns});
    auto result = gpu::zeros<float>({rows, columns});
    std::printf("%d x %d pixels, blocks of 16 x 16\n", rows, columns);
    std::printf("%8s %12s %12s %14s\n", "filter", "naive", "tiled", "naive / tiled");
    for (const int radius : {1, 2, 4, 8}) {
        double us[2] = {};
        for (const bool tiled : {false, true}) {
            const gpu::RawKernel<void(const float*, float*, int, int)> kernel(
                gpu::file("box.cu"), tiled ? "tiled" : "naive", {{"-DTILE=16", "-DRADIUS=" + std::to_string(radius)}});
            const gpu::LaunchConfig shape{.grid = {columns / 16, rows / 16}, .block = {16, 16}};
            const auto launch = [&] { kernel(shape, image, result, rows, columns); };
            us[tiled] = gpu::benchmark(launch, {.warmup = 2, .repeat = 7}).device.median_us;
        }
        const int side = 2 * radius + 1;
        std::printf("%3d x %-2d %9.1f us %9.1f us %14.2f\n", side, side, us[0], us[1], us[0] / us[1]);
    }
}
