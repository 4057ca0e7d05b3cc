// SPDX-License-Identifier: MIT
// Measures the loss sqrt(1 + (x - y)²) - 1 in five passes and in one.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 1 << 27 : 1 << 22;
    const auto x = gpu::ones<float>({n}), y = gpu::full<float>({n}, 3);
    auto a = gpu::zeros_like(x), b = gpu::zeros_like(x), z = gpu::zeros_like(x);
    const auto five_passes = [&] {
        a = x - y;
        b = a * a;
        a = 1 + b;
        b = gpu::sqrt(a);
        z = b - 1;
    };
    const auto one_pass = [&] { z = gpu::sqrt(1 + (x - y) * (x - y)) - 1; };
    const double five = gpu::benchmark(five_passes, {.warmup = 2, .repeat = 7}).device.median_us;
    const double one = gpu::benchmark(one_pass, {.warmup = 2, .repeat = 7}).device.median_us;
    std::printf("%d elements\n", n);
    std::printf("five passes: %9.1f us, %7.1f GB/s\n", five, 11 * 4e-3 * n / five);
    std::printf("one pass:    %9.1f us, %7.1f GB/s\n", one, 3 * 4e-3 * n / one);
    std::printf("ratio:       %9.1f\n", five / one);
}
