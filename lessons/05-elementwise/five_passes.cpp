// SPDX-License-Identifier: MIT
// Shows how many words the loss sqrt(1 + (x - y)²) - 1 moves: in five passes over the arrays, and in one.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // words are counted by check mode, on the host backend
    const int n = 1000;
    const auto x = gpu::ones<float>({n}), y = gpu::full<float>({n}, 3);
    auto z = gpu::zeros<float>({n});
    // [five]
    const auto five_passes = [&] {
        const gpu::Array<float> a = x - y;         // reads 2, writes 1
        const gpu::Array<float> b = a * a;         // reads 1, writes 1
        const gpu::Array<float> c = 1 + b;         // reads 1, writes 1
        const gpu::Array<float> d = gpu::sqrt(c);  // reads 1, writes 1
        z = d - 1;                                 // reads 1, writes 1
    };
    // [/five]
    // [one]
    const auto one_pass = [&] { z = gpu::sqrt(1 + (x - y) * (x - y)) - 1; };
    // [/one]
    double words[2] = {};
    for (const bool fused : {false, true}) {
        const gpu::CheckReport report = fused ? gpu::check(one_pass) : gpu::check(five_passes);
        for (const gpu::KernelCounts& kernel : report.kernels)
            words[fused] += double(kernel.work.global_bytes_read + kernel.work.global_bytes_written) / sizeof(float);
        std::printf("%s: launches %d, allocations %d, words per element %g\n", fused ? "one pass   " : "five passes",
                    int(report.host.launches), int(report.host.allocations), words[fused] / n);
    }
    std::printf("Answer: about %.1f times\n", words[0] / words[1]);
}
