// SPDX-License-Identifier: MIT
// Measures kernels with more and more operations per element: first memory decides, then arithmetic.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    const int n = on_gpu ? 1 << 27 : 1 << 18;
    const auto x = gpu::full<float>({n}, 0.5f);
    auto z = gpu::zeros<float>({n});
    std::printf("multiply-adds  flops per byte      GB/s   Gflop/s\n");
    double intensity_of_64 = 0;
    for (const int steps : {1, 4, 16, 64, 256}) {
        // [kernel]
        std::string operation = "float v = x;\n";
        for (int k = 0; k < steps; ++k) operation += "v = v * x + 1.f;\n";  // 2 flops
        const gpu::ElementwiseKernel kernel("float x", "float z", operation + "z = v;", "steps");
        // [/kernel]
        const auto time = gpu::benchmark([&] { kernel(x, gpu::out(z)); }, {.warmup = 2, .repeat = 15});
        const double us = time.device.median_us, bytes = 8.0 * n, flops = 2.0 * steps * n;
        std::printf("%13d  %14.2f  %8.1f  %8.1f\n", steps, flops / bytes, 1e-3 * bytes / us, 1e-3 * flops / us);
        if (steps == 64) intensity_of_64 = flops / bytes;
    }
    std::printf("Answer: %g\n", intensity_of_64);
}
