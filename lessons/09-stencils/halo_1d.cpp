// SPDX-License-Identifier: MIT
// Shows the worked example in 1-D: a tile of 256 + 2 cells for 256 threads, and what it reads.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const auto x = gpu::random::Generator(9).uniform<float>({1000});
    const int n = int(x.size());
    auto y = gpu::zeros<float>({n}), same = gpu::zeros<float>({n});
    for (const char* const name : {"direct", "mean"}) {
        const gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::file("halo_1d.cu"), name);
        auto& result = name[0] == 'd' ? same : y;
        const gpu::LaunchConfig shape{.grid = (n + 255) / 256, .block = 256};
        const gpu::CheckReport report = gpu::check([&] { kernel(shape, x, result, n); });
        std::printf("%-6s  %4d global reads for %d elements\n", name, int(report.kernels.at(0).work.global_reads), n);
        if (name[0] == 'm') std::printf("Answer: %d\n", int(report.kernels.at(0).work.global_reads));
    }
    std::printf("the two agree: %s\n", gpu::array_equal(y, same).item() ? "yes" : "no");
}
