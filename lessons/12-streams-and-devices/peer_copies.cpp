// SPDX-License-Identifier: MIT
// Times the copy of an array over three ways: from host memory, from another device's memory, within a device's own.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gpu/gpu.hpp>

static void wait_for(const gpu::Device& device) {
    const gpu::DeviceGuard guard(device);
    gpu::synchronize();
}

/// The median time of a copy in microseconds; both devices are waited for.
template <class Copy>
static double median_us(const gpu::Device& first, const gpu::Device& second, Copy copy) {
    std::vector<double> times;
    for (int repeat = 0; repeat < 12; ++repeat) {
        wait_for(first);
        wait_for(second);
        const auto start = std::chrono::steady_clock::now();
        copy();
        wait_for(first);
        wait_for(second);
        times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin() + 2, times.end());  // the first two warm up: memory for the copies comes from the pool then
    return times[7];
}

int main() {
    ::setenv("LIBGPU_HOST_DEVICES", "2", 0);
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 1 << 28 : 1 << 22;
    const gpu::Device first(0), second(gpu::Device::count() > 1 ? 1 : 0);
    std::printf("%d MiB, copied\n", n >> 18);
    const auto print = [&](const char* way, double us) {
        std::printf("%-32s  %8.0f us  %7.1f GB/s\n", way, us, 4e-3 * n / us);
    };
    const gpu::Pinned<float> host(static_cast<std::size_t>(n));
    gpu::Array<float> x = gpu::zeros<float>(n), y = gpu::zeros<float>(n);
    print("from page-locked host memory", median_us(first, second, [&] { x.copy_from(host); }));
    if (second != first) {
        // [peer]
        gpu::Array<float> over_there;
        const auto copy = [&] { over_there = x.to(second); };
        // [/peer]
        print("from another device's memory", median_us(first, second, copy));
    }
    print("within one device's memory", median_us(first, second, [&] { y = x; }));
    if (second == first)
        std::puts("This machine has one GPU: LIBGPU_DEVICE=host shows two devices of the host backend.");
}
