// SPDX-License-Identifier: MIT
// Measures the same copy with x as the column and with x as the row.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int rows = on_gpu ? 16384 : 1024, columns = rows;
    const auto a = gpu::ones<float>({rows, columns});
    auto b = gpu::zeros<float>({rows, columns});
    std::printf("copy of %d x %d floats, block 32 x 8\n", rows, columns);
    for (const char* const name : {"x_as_column", "x_as_row"}) {
        const gpu::RawKernel<void(const float*, float*, int, int)> copy(gpu::file("x_is_the_column.cu"), name);
        const auto launch = [&] { copy({.grid = {rows / 32, rows / 8}, .block = {32, 8}}, a, b, rows, columns); };
        const double us = gpu::benchmark(launch, {.warmup = 2, .repeat = 7}).device.median_us;
        std::printf("%-11s %9.1f us, %7.1f GB/s\n", name, us, 8e-3 * rows * columns / us);
    }
}
