// SPDX-License-Identifier: MIT
// Shows a warp that adds up without shared memory: lanes hand on their values.
#include <cstdio>

#include <gpu/gpu.hpp>

// [warp_sum]
GPU_KERNEL(warp_sum, (const float* x, float* total), R"(
    float value = x[threadIdx.x];
    for (int hop = 16; hop > 0; hop /= 2)
        value += __shfl_down_sync(0xffffffff, value, hop);  // of the lane that is hop places further on
    if (threadIdx.x == 0) *total = value;
)");
// [/warp_sum]

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // counts come from the host backend's check mode
    const auto x = gpu::arange<float>(32);
    auto total = gpu::zeros<float>({});
    const gpu::CheckReport report = gpu::check([&] { warp_sum({.grid = 1, .block = 32}, x, total); });
    const gpu::WorkCounts& work = report.kernels.at(0).work;
    std::printf("sum %g: %d shuffles, %d barriers, %d accesses to shared memory\n", total.item(),
                int(work.warp_operations), int(work.barriers), int(work.shared_reads + work.shared_writes));
}
