// SPDX-License-Identifier: MIT
// Shows the sectors per request of four index expressions.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

/// Sectors of one request that reads x[index], counted by check mode.
static double sectors(const std::string& index) {
    const gpu::RawKernel<void(const float*, float*)> read(
        "__global__ void read(const float* x, float* z) {\n"
        "    const int i = threadIdx.x;\n"
        "    const float a = x[" +
            index +
            "];\n"
            "    z[i] = a;\n"
            "}\n",
        "read");
    const auto x = gpu::arange<float>(2048);
    auto z = gpu::zeros<float>({32});
    const gpu::CheckReport report = gpu::check([&] { read({.grid = 1, .block = 32}, x, z); });
    for (const gpu::LineCounts& line : report.kernels.at(0).lines)
        if (line.line == 3) return double(line.work.global_sectors) / line.work.global_requests;
    return 0;
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    for (const std::string index : {"i", "i + 1", "2 * i", "64 * i"})
        std::printf("x[%s]: %g sectors, %.1f %% of the bytes used\n", index.c_str(), sectors(index),
                    100 * 128 / (32 * sectors(index)));
    std::printf("Answer: %g\n", sectors("2 * i"));
    std::printf("Answer: %g\n", sectors("i + 1"));
}
