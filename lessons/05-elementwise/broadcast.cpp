// SPDX-License-Identifier: MIT
// Shows the shapes of broadcasts, and that a repeated row takes no memory.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // reads are counted by check mode, on the host backend
    const auto column = gpu::ones<float>({3, 1}), row = gpu::ones<float>({4});
    const gpu::Array<float> table = column + row;
    std::printf("(3,1) + (4): %s\nAnswer: %s\n", gpu::to_string(table.shape()).c_str(),
                gpu::to_string(table.shape()).c_str());

    const auto matrix = gpu::ones<float>({64, 1000}), means = gpu::ones<float>({1000});
    gpu::Array<float> centred = gpu::zeros<float>({64, 1000});
    const gpu::CheckReport report = gpu::check([&] { centred = matrix - means; });
    const gpu::WorkCounts& work = report.kernels.at(0).work;
    std::printf("(64,1000) - (1000): %d reads, %d writes, %d bytes allocated\n", int(work.global_reads),
                int(work.global_writes), int(report.host.bytes_allocated));
    std::printf("Answer: %d\n", int(work.global_reads));
}
