// SPDX-License-Identifier: MIT
// Counts atomic operations: one for each element, or one for each thread that has added up many.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // counts come from the host backend's check mode
    const gpu::RawKernel<void(const float*, float*, int)> thread_sums(gpu::file("thread_sums.cu"), "thread_sums");
    const int n = 100'000;
    const auto x = gpu::ones<float>({n});
    for (const int grid : {391, 64, 16}) {
        auto total = gpu::zeros<float>({});
        const gpu::CheckReport report =
            gpu::check([&] { thread_sums({.grid = grid, .block = 256}, x, total, n); });
        const gpu::WorkCounts& work = report.kernels.at(0).work;
        std::printf("%3d blocks: %6d reads, %6d atomics, sum %g\n", grid, int(work.global_reads), int(work.atomics),
                    total.item());
        if (grid == 16) std::printf("Answer: %d\n", int(work.atomics));
    }
}
