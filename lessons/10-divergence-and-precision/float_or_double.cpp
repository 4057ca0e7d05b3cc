// SPDX-License-Identifier: MIT
// Measures the same loop of multiplications and additions in float, with one double literal in it, and in double.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 1 << 22 : 1 << 14, rounds = 1000;
    struct Case {
        const char *name, *type, *factor;
    };
    std::printf("%d threads, %d rounds of x = x * 0.999 + 0.001\n", n, rounds);
    for (const Case& one : {Case{"float", "float", "0.999f"}, {"float, one double literal", "float", "0.999"},
                            {"double", "double", "0.999"}}) {
        const gpu::RawKernel<void(float*, int, int)> step(
            std::string("__global__ void step(float* z, int n, int rounds) {\n"
                        "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                        "    if (i >= n) return;\n    ") +
                one.type + " x = z[i];\n    for (int k = 0; k < rounds; ++k) x = x * " + one.factor +
                " + 0.001f;\n    z[i] = x;\n}\n",
            "step");
        auto z = gpu::ones<float>({n});
        const auto launch = [&] { step({.grid = (n + 255) / 256, .block = 256}, z, n, rounds); };
        const double us = gpu::benchmark(launch, {.warmup = 2, .repeat = 7}).device.median_us;
        std::printf("%-26s %10.1f us\n", one.name, us);
    }
}
