// SPDX-License-Identifier: MIT
// Shows what becomes of one kernel with its barrier at other places, and with more of them.
#include <cstdio>
#include <string>
#include <utility>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int n = 1000, blocks = 4;
    const gpu::Array<float> x = gpu::arange<float>(n);
    const std::pair<int, const char*> choices[] = {
        {14, "1 and 4"}, {2, "2"}, {23, "2 and 3"}, {3, "3"}, {134, "1, 3 and 4"}};
    for (const auto& [places, name] : choices) {
        const gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::file("barriers.cu"), "differences",
                                                                     {{"-DPLACES=" + std::to_string(places)}});
        auto y = gpu::zeros<float>({n});
        const gpu::CheckReport report = gpu::check([&] { kernel({.grid = blocks, .block = 256}, x, y, n); },
                                                   {.strict_barriers = true});  // as the exercises are checked
        const std::string found = report.clean() ? "nothing found" : std::string(to_string(report.findings[0].kind));
        std::printf("%-10s  %s", name, found.c_str());
        if (report.clean()) std::printf(", %d per block", int(report.kernels.at(0).work.barriers) / blocks);
        std::printf("\n");
        if (places == 23) std::printf("Answer: %s\n", found.c_str());
    }
}
