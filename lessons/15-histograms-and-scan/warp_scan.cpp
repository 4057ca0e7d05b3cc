// SPDX-License-Identifier: MIT
// A warp scans 32 elements by shuffles: Kogge and Stone's rounds, without memory or barriers. A block scans by warps.
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

// [block_scan]
GPU_KERNEL(block_scan, (const int* x, int* y), R"(
    __shared__ int totals[32];  // of a block of 1024 threads, which are 32 warps
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    const auto scan = [lane](int sum) {  // as warp_scan does
        for (int hop = 1; hop < 32; hop *= 2) {
            const int left = __shfl_up_sync(0xffffffff, sum, hop);
            if (lane >= hop) sum += left;
        }
        return sum;
    };
    const int sum = scan(x[t]);
    if (lane == 31) totals[warp] = sum;
    __syncthreads();
    if (warp == 0) totals[lane] = scan(totals[lane]);
    __syncthreads();
    y[t] = sum + (warp > 0 ? totals[warp - 1] : 0);
)");
// [/block_scan]

template <class Kernel>
void show(const Kernel& kernel, int n) {
    const gpu::Array<int> x = gpu::arange<int>(n) + 1;
    auto y = gpu::empty<int>({n});
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 1, .block = n}, x, y); });
    const gpu::WorkCounts& work = report.kernels.at(0).work;
    std::printf("1 + ... + %d = %d: %d shuffles, %d barriers, %d accesses to shared memory, %s\n", n, y(n - 1).item(),
                int(work.warp_operations), int(work.barriers), int(work.shared_reads + work.shared_writes),
                report.clean() ? "no mistake found" : "wrong");
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // counts come from the host backend's check mode
    show(warp_scan, 32);
    show(block_scan, 1024);
}
