// SPDX-License-Identifier: MIT
// Shows how often four products of 128 x 128 matrices read global and shared memory.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

static constexpr int n = 128;

static gpu::WorkCounts work(const std::string& file, const std::string& name, gpu::Dim3 block, int tile) {
    const gpu::RawKernel<void(const float*, const float*, float*, int, int)> kernel(gpu::file(file), name);
    gpu::random::Generator rng(11);
    const auto a = rng.uniform<float>({n, n}), b = rng.uniform<float>({n, n});
    auto c = gpu::empty<float>({n, n});
    const gpu::CheckReport report =
        gpu::check([&] { kernel({.grid = {n / tile, n / tile}, .block = block}, a, b, c, n, n); });
    const gpu::WorkCounts& counts = report.kernels.at(0).work;
    const bool right = gpu::allclose(c, gpu::matmul(a, b), {.rtol = 1e-4, .atol = 1e-4}).item();
    std::printf("%-9s %8d global reads  %4.1f sectors per request  %.1f shared reads per product  %s\n", name.c_str(),
                int(counts.global_reads), double(counts.global_sectors) / counts.global_requests,
                double(counts.shared_reads) / (double(n) * n * n), right ? "right" : "wrong");
    return counts;
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    work("products.cu", "swapped", {32, 32}, 32);
    work("products.cu", "naive", {32, 32}, 32);
    const gpu::WorkCounts tiled = work("products.cu", "tiled", {32, 32}, 32);
    work("registers.cu", "registers", {16, 16}, 64);
    std::printf("Answer: %d\n", int(tiled.global_reads));
}
