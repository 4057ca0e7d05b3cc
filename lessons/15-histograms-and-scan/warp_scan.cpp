// SPDX-License-Identifier: MIT
// A warp scans 32 elements by shuffles: Kogge and Stone's rounds, without memory or barriers.
#include <cstdio>

#include <gpu/gpu.hpp>

// [warp_scan]
GPU_KERNEL(warp_scan, (const int* x, int* y), R"(
    const int lane = threadIdx.x;
    int sum = x[lane];
    for (int hop = 1; hop < 32; hop *= 2) {
        const int left = __shfl_up_sync(0xffffffff, sum, hop);  // of the lane that is hop places before
        if (lane >= hop) sum += left;
    }
    y[lane] = sum;
)");
// [/warp_scan]

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // counts come from the host backend's check mode
    const gpu::Array<int> x = gpu::arange<int>(32) + 1;
    auto y = gpu::empty<int>({32});
    const gpu::CheckReport report = gpu::check([&] { warp_scan({.grid = 1, .block = 32}, x, y); });
    const gpu::WorkCounts& work = report.kernels.at(0).work;
    std::printf("1 + ... + 32 = %d: %d shuffles, %d barriers, %d accesses to shared memory\n", y(31).item(),
                int(work.warp_operations), int(work.barriers), int(work.shared_reads + work.shared_writes));
}
