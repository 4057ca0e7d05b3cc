// SPDX-License-Identifier: MIT
// Shows what check mode says of a sum in one launch, with and without its fence.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

using Sum = void(const float*, float*, unsigned*, float*, int);

static bool finds_nothing(const std::vector<std::string>& options) {
    const gpu::RawKernel<Sum> kernel(gpu::file("last_block.cu"), "sum_in_one_launch", {options});
    const auto x = gpu::ones<float>({10'000});
    auto sums = gpu::empty<float>({8}), total = gpu::empty<float>({});
    auto tickets = gpu::zeros<unsigned>({1});
    std::printf("%s fence:", options.empty() ? "with a " : "without");
    const auto launch_twice = [&] {
        for (const auto& [threads, n] : {std::pair(256, 10'000), std::pair(100, 5'000)}) {
            kernel({.grid = 8, .block = threads}, x, sums, tickets, total, n);
            std::printf(" sum %g in blocks of %d,", total.item(), threads);
        }
    };
    const gpu::CheckReport report = gpu::check(launch_twice);
    std::printf(" %s\n", report.clean() ? "nothing found" : to_string(report.findings[0].kind).data());
    return report.clean();
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    finds_nothing({});
    std::printf("Answer: %s\n", finds_nothing({"-DWITHOUT_FENCE"}) ? "nothing" : "a race between blocks");
}
