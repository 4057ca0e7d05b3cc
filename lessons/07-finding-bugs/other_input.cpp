// SPDX-License-Identifier: MIT
// Shows a kernel in which check mode finds nothing, until other values come.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

// [kernel]
GPU_KERNEL(count_up, (const int* values, int* count, int n), R"(
    if (threadIdx.x == 0)  // one thread counts, so nobody races
        for (int i = 0; i < n; ++i) ++count[values[i]];
)");
// [/kernel]

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    for (const int largest : {9, 10}) {
        const gpu::Array<int> values = gpu::to_device({3, 1, 4, 1, 5, largest});
        auto count = gpu::zeros<int>({10});
        const gpu::CheckReport report =
            gpu::check([&] { count_up({.grid = 1, .block = 32}, values, count, 6); });
        const std::string found = report.clean() ? "nothing" : std::string(to_string(report.findings[0].kind));
        std::printf("largest value %2d: %s found\n", largest, found.c_str());
        if (largest == 10) std::printf("Answer: %s\n", found.c_str());
    }
}
