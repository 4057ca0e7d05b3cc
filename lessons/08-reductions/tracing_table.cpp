// SPDX-License-Identifier: MIT
// Shows what each thread of a tree writes, step by step: a row for each interval between two barriers.
#include <bit>
#include <cstdio>
#include <map>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // traces come from the host backend's check mode
    const gpu::RawKernel<void(const float*, float*)> tree(gpu::file("tree.cu"), "tree");
    const auto x = gpu::to_device({1.f, 2.f, 3.f, 4.f, 5.f, 6.f, 7.f, 8.f});
    auto total = gpu::zeros<float>({});
    const gpu::Trace trace = gpu::trace([&] { tree({.grid = 1, .block = 8}, x, total); });

    const gpu::TracedLaunch& launch = trace.launches.at(0);
    std::map<int, std::map<int, float>> written;  // interval, thread: what it put into part
    for (const gpu::TracedAccess& access : launch.accesses)
        if (access.operation == gpu::MemoryOperation::write && launch.arrays[access.array].shared)
            written[access.interval][access.thread] = std::bit_cast<float>(static_cast<std::uint32_t>(access.bits));

    std::printf("thread   ");
    for (int t = 0; t < 8; ++t) std::printf("%4d", t);
    for (const auto& [interval, values] : written) {
        if (interval == 0) std::printf("\nload     ");
        else std::printf("\nhalf = %d ", 8 >> interval);
        for (int t = 0; t < 8; ++t) values.contains(t) ? std::printf("%4g", values.at(t)) : std::printf("   .");
    }
    std::printf("\nsum %g\nAnswer: %g\n", total.item(), written.at(2).at(1));
}
