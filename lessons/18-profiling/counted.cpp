// SPDX-License-Identifier: MIT
// Counts what three kernels ask of memory: the first of the three numbers, which needs no GPU.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

double ratio(std::uint64_t of, std::uint64_t per) { return per == 0 ? 0 : double(of) / double(per); }

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int n = 64 * 1024;
    const auto x = gpu::arange<float>(n);
    auto y = gpu::zeros<float>({n});
    double of_far = 0;
    std::printf("kernel     sectors per request   wavefronts per request\n");
    for (const std::string name : {"near", "far", "columns"}) {
        // [counts]
        const gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::file("counted.cu"), name);
        const gpu::CheckReport report = gpu::check([&] { kernel({.grid = n / 1024, .block = 1024}, x, y, n); });
        const gpu::WorkCounts& work = report.kernels.at(0).work;
        const double sectors = ratio(work.global_sectors, work.global_requests);
        const double wavefronts = ratio(work.shared_wavefronts, work.shared_requests);
        // [/counts]
        std::printf("%-10s %19.1f", name.c_str(), sectors);
        if (wavefronts > 0) std::printf("   %22.1f", wavefronts);
        std::printf("\n");
        if (name == "far") of_far = 2 * sectors - 4;  // without the store's 4
    }
    std::printf("Answer: %g\n", of_far);
}
