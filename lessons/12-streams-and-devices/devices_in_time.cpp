// SPDX-License-Identifier: MIT
// Times a sum on one device and on two, each with its part of the elements.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <gpu/gpu.hpp>

static double median_us(int devices, int n) {
    std::vector<gpu::Array<float>> parts;
    for (int d = 0; d < devices; ++d) {
        const gpu::DeviceGuard guard{gpu::Device(d)};
        parts.push_back(gpu::full<float>(n / devices, 2.f));
    }
    std::vector<double> times;
    for (int repeat = 0; repeat < 12; ++repeat) {
        for (int d = 0; d < devices; ++d) {
            const gpu::DeviceGuard guard{gpu::Device(d)};
            gpu::synchronize();
        }
        const auto start = std::chrono::steady_clock::now();
        std::vector<gpu::Array<float>> sums;
        for (const gpu::Array<float>& part : parts) sums.push_back(gpu::sum(gpu::sqrt(part)));  // nobody waits
        double total = 0;
        for (const gpu::Array<float>& sum : sums) total += sum.item();  // here the host does
        times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
        if (!(total > 0)) return 0;
    }
    std::sort(times.begin() + 2, times.end());  // the first two warm up
    return times[7];
}

int main() {
    ::setenv("LIBGPU_HOST_DEVICES", "2", 0);
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 1 << 29 : 1 << 22, most = std::min(gpu::Device::count(), 2);
    std::printf("sum of %d square roots\n", n);
    for (int devices = 1; devices <= most; ++devices)
        std::printf("%d device%s  %8.0f us\n", devices, devices == 1 ? " " : "s", median_us(devices, n));
}
