// SPDX-License-Identifier: MIT
// Shows that total += x[i] is a race between threads, though it may give the right sum; atomicAdd is none.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

// [race]
GPU_KERNEL(add_plainly, (const float* x, float* total, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *total += x[i];  // planted mistake: reads, adds, writes; others do the same at the same time
)");
// [/race]

// [atomic]
GPU_KERNEL(add_by_atomics, (const float* x, float* total, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(total, x[i]);  // reads, adds and writes, and nobody comes between
)");
// [/atomic]

template <class Kernel>
static std::string found(const char* what, const Kernel& kernel) {
    const auto x = gpu::ones<float>({1000});
    auto total = gpu::zeros<float>({});
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = 4, .block = 256}, x, total, 1000); });
    const std::string what_it_is = report.clean() ? "no mistake:" : report.findings[0].what;
    std::printf("%-18s sum %g, atomics %4d, found: %s\n", what, total.item(), int(report.kernels[0].work.atomics),
                what_it_is.substr(0, what_it_is.find(':')).c_str());
    return report.clean() ? "right" : "wrong";
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const std::string plain = found("*total += x[i]", add_plainly);
    found("atomicAdd", add_by_atomics);
    std::printf("Answer: %s\n", plain.c_str());
}
