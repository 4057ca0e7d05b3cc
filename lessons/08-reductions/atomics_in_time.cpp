// SPDX-License-Identifier: MIT
// Measures one sum with fewer and fewer atomic operations, and the library's.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::RawKernel<void(const float*, float*, int)> thread_sums(gpu::file("thread_sums.cu"), "thread_sums");
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 1 << 26 : 1 << 20;
    const auto x = gpu::ones<float>({n});
    auto total = gpu::zeros<float>({});
    std::printf("sum of %d floats\n", n);
    const auto print = [&](const char* what, int atomics, const auto& sum) {
        const double us = gpu::benchmark(sum, {.warmup = 2, .repeat = 7}).device.median_us;
        std::printf("%-12s %9d atomics %11.1f us %8.1f GB/s\n", what, atomics, us, 4e-3 * n / us);
    };
    for (const int elements : {1, 4, 16, 64, 256}) {
        const int grid = n / 256 / elements;
        print("thread_sums", n / elements, [&] { thread_sums({.grid = grid, .block = 256}, x, total, n); });
    }
    print("gpu::sum", 0, [&] { gpu::sum(x, {.out = gpu::out(total)}); });
}
