// SPDX-License-Identifier: MIT
// Shows answers that a device gives otherwise than plain C++ on the CPU, whatever the device.
#include <cstdint>
#include <cstdio>
#include <limits>

#include <gpu/gpu.hpp>

/// What this processor makes of a value that the type can't hold; C++ promises nothing.
template <class T>
static double by_cpu(float value) {
    const volatile float hidden = value;  // from the compiler, which would convert it in its own way
    return double(static_cast<T>(hidden));
}
template <class T>
static double by_device(float value) {
    return double(gpu::full<float>({1}, value).astype<T>()(0).item());
}

static void row(const char* what, double device, double cpu) {
    std::printf("%-26s %12.10g %12.10g\n", what, device, cpu);
}

int main() {
    std::printf("%-26s %12s %12s\n", "", "device", "CPU");
    const int many = (1 << 24) + 1024;
    float by_loop = 0;
    for (int k = 0; k < many; ++k) by_loop += 1;
    const double by_tree = gpu::sum(gpu::ones<float>(many)).item();
    row("sum of 2^24 + 1024 ones", by_tree, by_loop);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    row("3e9f as an int", by_device<std::int32_t>(3e9F), by_cpu<std::int32_t>(3e9F));
    row("NaN as an int", by_device<std::int32_t>(nan), by_cpu<std::int32_t>(nan));
    row("-1.5f as an unsigned int", by_device<std::uint32_t>(-1.5F), by_cpu<std::uint32_t>(-1.5F));
    std::printf("Answer: %.0f\n", many - double(by_loop));
    std::printf("Answer: %.0f\n", by_device<std::uint32_t>(-1.5F));
}
