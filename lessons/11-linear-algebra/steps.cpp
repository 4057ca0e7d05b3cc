// SPDX-License-Identifier: MIT
// Measures one product, step by step: x as the row, naive, through tiles, with results in registers, and the library's.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

using Product = void(const float*, const float*, float*, int, int);

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 4096 : 256;
    gpu::random::Generator rng(11);
    const auto a = rng.uniform<float>({n, n}, -1, 1), b = rng.uniform<float>({n, n}, -1, 1);
    auto c = gpu::empty<float>({n, n}), want = gpu::empty<float>({n, n});
    const gpu::BenchmarkOptions often{.warmup = 2, .repeat = 7};
    const auto library = [&] { gpu::matmul(a, b, {.out = gpu::out(want)}); };
    const double library_us = gpu::benchmark(library, often).device.median_us;
    const double gflop = 2e-9 * n * n * n;
    const auto print = [&](const std::string& name, double us) {
        std::printf("%-10s %10.1f us  %8.1f Gflop/s  %6.1f %% of the library\n", name.c_str(), us, 1e6 * gflop / us,
                    100 * library_us / us);
    };
    std::printf("product of two %d x %d matrices of floats\n", n, n);
    for (const std::string name : {"swapped", "naive", "tiled", "registers"}) {
        const bool in_registers = name == "registers";
        const gpu::RawKernel<Product> kernel(gpu::file(in_registers ? "registers.cu" : "products.cu"), name);
        const int block = in_registers ? 16 : 32, tile = in_registers ? 64 : 32;
        const auto launch = [&] { kernel({.grid = {n / tile, n / tile}, .block = {block, block}}, a, b, c, n, n); };
        print(name, gpu::benchmark(launch, often).device.median_us);
        if (!gpu::allclose(c, want, {.rtol = 1e-3, .atol = 1e-2}).item()) std::printf("  and it is wrong\n");
    }
    print("library", library_us);
}
