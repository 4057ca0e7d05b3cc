// SPDX-License-Identifier: MIT
// Measures both histograms on values that are spread evenly and on values that are all equal.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 1 << 26 : 1 << 20, bins = 256, blocks = on_gpu ? 1056 : 64;
    std::printf("%d elements, %d bins, %d blocks of 256\n", n, bins, blocks);
    const gpu::Array<int> even = gpu::random::Generator(8).integers<int>({n}, 0, bins);
    const gpu::Array<int> equal = gpu::full<int>({n}, 7);
    for (const char* const name : {"global_counts", "block_counts"}) {
        const gpu::RawKernel<void(const int*, int*, int, int)> kernel(gpu::file("histograms.cu"), name);
        auto counts = gpu::zeros<int>({bins});
        for (const gpu::Array<int>* const x : {&even, &equal}) {
            const auto launch = [&] { kernel({.grid = blocks, .block = 256}, *x, counts, n, bins); };
            const double us = gpu::benchmark(launch, {.warmup = 2, .repeat = 7}).device.median_us;
            std::printf("%-13s  %-13s %9.1f us\n", name, x == &even ? "evenly spread" : "all equal", us);
        }
    }
}
