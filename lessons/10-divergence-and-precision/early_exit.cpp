// SPDX-License-Identifier: MIT
// Shows what a warp pays if its lane t goes round a loop t + 1 times. Each round reads once, so that check mode counts
// rounds.
#include <cstdio>

#include <gpu/gpu.hpp>

GPU_KERNEL(rounds, (const float* x, float* y, int most), R"(
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < most; ++k) {
        if (k > t) break;              // this lane is done
        sum += x[k];
    }
    y[t] = sum;
)");

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const auto x = gpu::ones<float>(32);
    auto y = gpu::zeros<float>({32});
    const gpu::CheckReport report = gpu::check([&] { rounds({.grid = 1, .block = 32}, x, y, 32); });
    gpu::WorkCounts loop;
    for (const gpu::LineCounts& line : report.kernels.at(0).lines)
        if (line.work.global_reads > 0) loop += line.work;
    const double efficiency = double(loop.global_reads) / (32.0 * loop.global_requests);
    std::printf("rounds of lanes %d, of the warp %d\n", int(loop.global_reads), int(loop.global_requests));
    std::printf("lane efficiency %d / (32 x %d) = %.1f %%\n", int(loop.global_reads), int(loop.global_requests),
                100 * efficiency);
    std::printf("Answer: %.1f\n", 100 * efficiency);
}
