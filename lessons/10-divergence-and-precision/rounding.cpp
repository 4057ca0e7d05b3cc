// SPDX-License-Identifier: MIT
// Shows answers that depend on how a device rounds, and in which order it adds.
#include <cmath>
#include <cstdio>
#include <set>
#include <vector>

#include <gpu/gpu.hpp>

static void row(const char* what, double device, double cpu) { std::printf("%-34s %14.6g %8g\n", what, device, cpu); }

int main() {
    const gpu::RawModule module(gpu::file("rounding.cu"));
    std::printf("%-34s %14s %8s\n", "", "device", "CPU");
    // [leftover]
    const volatile float a = 1 + 1.0F / 4096, square = a * a;  // rounded: a * a has 25 bits
    const auto pair = gpu::to_device(std::vector<float>{a, square});
    auto z = gpu::zeros<float>({1});
    module.kernel<void(const float*, float*)>("leftover")({.grid = 1, .block = 1}, pair, z);
    row("a * a - square, in a raw kernel", z(0).item(), a * a - square);
    row("a * a - square, as an expression", (pair(0) * pair(0) - pair(1)).eval().item(), a * a - square);
    // [/leftover]

    const int n = 1 << 16;
    const gpu::Array<float> angles = gpu::random::Generator(10).uniform<float>({n}) * 100.0F;
    auto sines = gpu::zeros<float>({n});
    const gpu::LaunchConfig shape{.grid = n / 256, .block = 256};
    module.kernel<void(const float*, float*, int)>("sine")(shape, angles, sines, n);
    const std::vector<float> at = gpu::to_host(angles), got = gpu::to_host(sines);
    int other = 0;
    for (std::size_t i = 0; i < at.size(); ++i) other += got[i] != std::sin(at[i]);
    row("sines of 65536 that differ", other, 0);

    std::set<float> sums;
    for (int run = 0; run < 5; ++run) {
        auto sum = gpu::zeros<float>({1});
        module.kernel<void(const float*, float*, int)>("add_all")(shape, angles, sum, n);
        sums.insert(sum(0).item());
    }
    row("different sums in 5 runs, atomics", double(sums.size()), 1);
}
