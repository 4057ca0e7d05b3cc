// SPDX-License-Identifier: MIT
// Shows what a warp of the naive product asks of memory in each step, with x as the column and with x as the row.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

/// Sectors of one warp in one step: those of its two loads.
static int sectors(const std::string& name) {
    const gpu::RawKernel<void(const float*, const float*, float*, int, int)> kernel(gpu::file("products.cu"), name);
    const int n = 64;
    gpu::random::Generator rng(11);
    const auto a = rng.uniform<float>({n, n}), b = rng.uniform<float>({n, n});
    auto c = gpu::empty<float>({n, n});
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = {2, 2}, .block = {32, 32}}, a, b, c, n, n); });
    int of_step = 0;
    std::printf("%-8s ", name.c_str());
    for (const gpu::LineCounts& line : report.kernels.at(0).lines) {
        if (line.work.global_reads == 0) continue;
        const int each = int(line.work.global_sectors / line.work.global_requests);
        std::printf("%s %2d", of_step == 0 ? "a:" : "  b:", each);
        of_step += each;
    }
    std::printf("  together %2d sectors per step\n", of_step);
    return of_step;
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int column = sectors("naive"), row = sectors("swapped");
    std::printf("Answer: from %d to %d\n", column, row);
}
