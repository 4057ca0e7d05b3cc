// SPDX-License-Identifier: MIT
// Shows how many atomics go to global memory if each block has a histogram of its own.
#include <cstdio>

#include <gpu/gpu.hpp>

using Histogram = void(const int*, int*, int, int);

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // atomics are counted by check mode, on the host backend
    const int n = 100'000, bins = 256, blocks = 8;
    const gpu::Array<int> x = gpu::full<int>({n}, 7);
    const gpu::RawKernel<Histogram> kernel(gpu::file("histograms.cu"), "block_counts");
    auto counts = gpu::zeros<int>({bins});
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = blocks, .block = 256}, x, counts, n, bins); });
    double turns = 0;
    for (const gpu::LineCounts& line : report.kernels.at(0).lines)
        if (const gpu::WorkCounts& work = line.work; work.atomic_requests > 0 && turns == 0)
            turns = double(work.atomic_turns) / double(work.atomic_requests);  // of the line that counts
    const int atomics = int(report.kernels[0].work.global_atomics);
    std::printf("block_counts   all equal          turns per request %4.1f  atomics on global memory %6d\n", turns,
                atomics);
    std::printf("Answer: %d\n", atomics);
}
