// SPDX-License-Identifier: MIT
// Measures multiplications and additions that wait for each other: 1, 2 or 4 chains of them in each thread, and 4 to 64
// warps on each multiprocessor.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

static const char* const text = R"(
// [chains]
__global__ void chains(float* z, int rounds) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x[CHAINS];
    for (int c = 0; c < CHAINS; ++c) x[c] = i + c;
#pragma unroll 64  // so that hardly any instruction is the loop's own
    for (int k = 0; k < rounds; ++k)
        for (int c = 0; c < CHAINS; ++c) x[c] = fmaf(x[c], 0.999f, 0.001f);  // waits for its own last round alone
    float sum = 0;
    for (int c = 0; c < CHAINS; ++c) sum += x[c];
    z[i] = sum;
}
// [/chains]
)";

int main() {
    const gpu::Device device = gpu::Device::current();
    const bool on_gpu = device.kind() == gpu::BackendKind::cuda;
    const int multiprocessors = device.properties().multiprocessors, rounds = on_gpu ? 1 << 16 : 1 << 10;
    auto z = gpu::zeros<float>({multiprocessors * 64 * 32});
    std::printf("Gflop/s      1 chain    2 chains    4 chains\n");
    for (const int warps : {4, 8, 16, 32, 64}) {
        std::printf("%2d warps", warps);
        for (const int chains : {1, 2, 4}) {
            const gpu::RawKernel<void(float*, int)> kernel(text, "chains",
                                                           {.options = {"-DCHAINS=" + std::to_string(chains)}});
            const int grid = multiprocessors * warps / 4;
            const auto launch = [&] { kernel({.grid = grid, .block = 128}, z, rounds); };
            const double us = gpu::benchmark(launch, {.warmup = 2, .repeat = 7}).device.median_us;
            std::printf("%12.0f", 2e-3 * chains * rounds * grid * 128 / us);
        }
        std::printf("\n");
    }
}
