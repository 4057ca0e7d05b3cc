// SPDX-License-Identifier: MIT
// Measures how fast memory is read with 1 to 8 blocks on each multiprocessor, and with 1 to 8 loads in flight in each
// thread. Shared memory that nobody uses keeps further blocks away.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

int main() {
    const gpu::Device device = gpu::Device::current();
    const bool on_gpu = device.kind() == gpu::BackendKind::cuda;
    const int blocks = 8 * device.properties().multiprocessors, threads = 256 * blocks;
    const int n = 8 * threads * (on_gpu ? 124 : 16);  // 1 GB on an H200
    const auto x = gpu::ones<float>({n});
    auto z = gpu::zeros<float>({threads});
    std::printf("GB/s           1 load     2 loads     4 loads     8 loads\n");
    for (const int kib : {200, 100, 50, 0}) {
        for (const int loads : {1, 2, 4, 8}) {
            // [limited]
            const gpu::RawKernel<void(const float*, float*, int)> sums(
                gpu::file("in_flight.cu"), "sums", {.options = {"-DLOADS=" + std::to_string(loads)}});
            const std::size_t shared = static_cast<std::size_t>(kib) << 10;  // bytes for each block
            const int resident = sums.active_blocks(256, shared);
            const auto launch = [&] { sums({.grid = blocks, .block = 256, .shared = shared}, x, z, n); };
            // [/limited]
            const double us = gpu::benchmark(launch, {.warmup = 2, .repeat = 7}).device.median_us;
            if (loads == 1) std::printf("%d block%-2s", resident, resident == 1 ? "" : "s");
            std::printf("%12.1f", 4e-3 * n / us);
        }
        std::printf("\n");
    }
}
