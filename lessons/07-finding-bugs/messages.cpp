// SPDX-License-Identifier: MIT
// Shows six messages of check mode, and the rule of the notional machine that each of them names.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

GPU_KERNEL(one, (const float* x, float* y, int n), R"(
    y[threadIdx.x] = x[threadIdx.x];
)");
GPU_KERNEL(two, (const float* x, float* y, int n), R"(
    __shared__ float part[64];
    part[threadIdx.x] = x[threadIdx.x % n];
    if (threadIdx.x < n) y[threadIdx.x] = part[63 - threadIdx.x];
)");
GPU_KERNEL(three, (const float* x, float* y, int n), R"(
    if (threadIdx.x < n) y[threadIdx.x] = blockIdx.x + x[threadIdx.x];
)");
GPU_KERNEL(four, (const float* x, float* y, int n), R"(
    __shared__ float part[64];
    if (threadIdx.x < n) part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x < n) y[threadIdx.x] = part[63 - threadIdx.x];
)");
GPU_KERNEL(five, (const float* x, float* y, int n), R"(
    if (threadIdx.x >= n) return;
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x];
)");
GPU_KERNEL(six, (const float* x, float* y, int n), R"(
    if (threadIdx.x < n) y[threadIdx.x] += x[threadIdx.x];
)");

/// The first thing that is found; what and where, without the folders, and the rule.
template <class Kernel>
static int show(const char* name, const Kernel& kernel, int blocks = 1) {
    const gpu::Array<float> x = gpu::arange<float>(50);
    auto y = gpu::empty<float>({50});
    const gpu::CheckReport report = gpu::check([&] { kernel({.grid = blocks, .block = 64}, x, y, 50); },
                                               {.strict_barriers = true});  // as the exercises are checked
    const gpu::Finding& found = report.findings.at(0);
    std::string what = found.what;
    for (std::size_t end; (end = what.find("/messages.cpp")) != what.npos;)
        what.erase(what.rfind(' ', end) + 1, end - what.rfind(' ', end));
    std::printf("%s: %s\n  rule %d\n", name, what.c_str(), int(found.rule));
    return int(found.rule);
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    show("one", one), show("two", two), show("three", three, 2);
    std::printf("Answer: rule %d\n", show("four", four));
    show("five", five), show("six", six);
}
