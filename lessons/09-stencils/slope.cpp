// SPDX-License-Identifier: MIT
// Shows the worked example in 2-D: a tile with a halo above and below, and what it reads.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int rows = 60, columns = 90;                  // neither is a multiple of the block's
    const auto image = gpu::random::Generator(9).uniform<float>({rows, columns});
    auto result = gpu::zeros<float>({rows, columns}), same = gpu::zeros<float>({rows, columns});
    const auto run = [&](const char* name, gpu::Array<float>& into) {
        const gpu::RawKernel<void(const float*, float*, int, int)> kernel(gpu::file("slope.cu"), name);
        const gpu::LaunchConfig shape{.grid = {(columns + 31) / 32, (rows + 7) / 8}, .block = {32, 8}};
        const gpu::CheckReport report = gpu::check([&] { kernel(shape, image, into, rows, columns); });
        std::printf("%-6s  %5d global reads for %d pixels\n", name, int(report.kernels.at(0).work.global_reads),
                    rows * columns);
    };
    run("direct", same);
    run("slope", result);
    std::printf("the two agree: %s\n", gpu::array_equal(result, same).item() ? "yes" : "no");
}
