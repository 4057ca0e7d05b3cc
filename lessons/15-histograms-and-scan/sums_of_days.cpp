// SPDX-License-Identifier: MIT
// Shows sums for each day of the week, added up in each block first: how many atomics stay in the blocks.
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // atomics are counted by check mode, on the host backend
    const int n = 100'000, blocks = 8;
    gpu::random::Generator random(8);
    const gpu::Array<int> day = random.integers<int>({n}, 0, 7), rain = random.integers<int>({n}, 0, 30);
    const gpu::RawKernel<void(const int*, const int*, int*, int)> kernel(gpu::file("sums_of_days.cu"), "sums_of_days");
    auto sums = gpu::zeros<int>({7});
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = blocks, .block = 256}, day, rain, sums, n); });
    const gpu::WorkCounts& work = report.kernels.at(0).work;
    std::printf("%d readings, %d blocks: %d atomics in shared memory, %d in global memory\n", n, blocks,
                int(work.atomics - work.global_atomics), int(work.global_atomics));

    std::vector<int> want(7);
    const std::vector<int> days = gpu::to_host(day), amounts = gpu::to_host(rain);
    for (int i = 0; i < n; ++i) want[days[i]] += amounts[i];
    std::printf("the sums are %s, and %s found\n", gpu::to_host(sums) == want ? "right" : "wrong",
                report.clean() ? "nothing is" : "mistakes are");
}
