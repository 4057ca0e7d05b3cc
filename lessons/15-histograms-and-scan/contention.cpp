// SPDX-License-Identifier: MIT
// Shows how many lanes of a warp want the same bin.
#include <cstdio>

#include <gpu/gpu.hpp>

using Histogram = void(const int*, int*, int, int);

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // atomics are counted by check mode, on the host backend
    const int n = 100'000, bins = 256, blocks = 8;
    gpu::random::Generator random(8);
    const gpu::Array<int> even = random.integers<int>({n}, 0, bins);
    const gpu::Array<float> u = random.uniform<float>({n});
    const gpu::Array<int> skewed = gpu::where(u < 0.9f, 7, even);  // nine of ten in one bin
    const gpu::Array<int> equal = gpu::full<int>({n}, 7);
    const gpu::RawKernel<Histogram> kernel(gpu::file("histograms.cu"), "global_counts");
    const auto count = [&](const char* values, const gpu::Array<int>& x) {
        auto counts = gpu::zeros<int>({bins});
        const auto launch = [&] { kernel({.grid = blocks, .block = 256}, x, counts, n, bins); };
        const gpu::CheckReport report = gpu::check(launch);
        double turns = 0;
        for (const gpu::LineCounts& line : report.kernels.at(0).lines)
            if (const gpu::WorkCounts& work = line.work; work.atomic_requests > 0 && turns == 0)
                turns = double(work.atomic_turns) / double(work.atomic_requests);  // of the line that counts
        std::printf("global_counts  %-17s  turns per request %4.1f  atomics on global memory %6d\n", values, turns,
                    int(report.kernels[0].work.global_atomics));
        return turns;
    };
    const double turns = count("evenly spread", even);
    count("nine of ten equal", skewed);
    count("all equal", equal);
    std::printf("Answer: %.1f\n", turns);
}
