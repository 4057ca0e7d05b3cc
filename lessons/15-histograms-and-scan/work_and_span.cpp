// SPDX-License-Identifier: MIT
// Counts the work and the span of two scans: additions, barriers, and what shared memory is asked for.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // counts come from the host backend's check mode
    std::printf("one block           n  additions  per element  barriers  warp requests\n");
    for (const int n : {64, 256, 1024})
        for (const std::string name : {"kogge_stone", "up_and_down"}) {
            const gpu::RawKernel<void(const int*, int*)> scan(gpu::file("scans.cu"), name,
                                                              {{"-DSIZE=" + std::to_string(n)}});
            const auto x = gpu::ones<int>({n});
            auto y = gpu::empty<int>({n});
            const gpu::CheckReport report = gpu::check([&] { scan({.grid = 1, .block = n}, x, y); });
            const gpu::WorkCounts& work = report.kernels.at(0).work;
            const int additions = int(work.shared_writes) - n;  // each is a write, and so is each element's load
            std::printf("%-11s %9d %10d %12.1f %9d %14d\n", name.c_str(), n, additions, double(additions) / n,
                        int(work.barriers), int(work.shared_requests));
            if (n == 256 && name == "up_and_down") std::printf("Answer: %d\n", additions);
        }
}
