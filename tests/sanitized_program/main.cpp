// SPDX-License-Identifier: MIT
// A learner's program that is itself built with a sanitizer: kernels with barriers, and check mode, whose callbacks
// have the names that the sanitizers' own have.
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

const char right[] = R"(
__global__ void total(const float* x, float* y) {
    __shared__ float part[64];
    part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    for (int half = 32; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (threadIdx.x == 0) y[blockIdx.x] = part[0];
}
)";
const char wrong[] = R"(
__global__ void total(const float* x, float* y) {
    __shared__ float part[64];
    part[threadIdx.x] = x[blockIdx.x * 64 + threadIdx.x];
    y[blockIdx.x * 64 + threadIdx.x] = part[63 - threadIdx.x];
}
)";

bool expect(const char* what, bool holds) {
    if (!holds) std::printf("FAILED: %s\n", what);
    return holds;
}

}  // namespace

int main() {
    constexpr int blocks = 8;
    const gpu::Array<float> x = gpu::ones<float>({blocks * 64});
    gpu::Array<float> y = gpu::zeros<float>({blocks});
    const gpu::RawKernel<void(const float*, float*)> total(right, "total");
    bool good = true;
    total({.grid = blocks, .block = 64}, x, y);
    good &= expect("sums of blocks", gpu::to_host(y) == std::vector<float>(blocks, 64.f));

    const gpu::CheckReport clean = gpu::check([&] { total({.grid = blocks, .block = 64}, x, y); });
    good &= expect("a correct kernel has no finding", clean.findings.empty());

    gpu::Array<float> z = gpu::zeros<float>({blocks * 64});
    const gpu::RawKernel<void(const float*, float*)> racy(wrong, "total");
    const gpu::CheckReport found = gpu::check([&] { racy({.grid = blocks, .block = 64}, x, z); });
    good &= expect("the missing barrier is found", found.findings.size() == 1);

    const gpu::Array<float> sum = x * 2.f + 1.f;
    good &= expect("an expression", gpu::sum(sum).item() == 3.f * blocks * 64);
    return good ? 0 : 1;
}
