// SPDX-License-Identifier: MIT
// Shows what a thread for each row and a block for each row cost: sectors per request, and barriers.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

using Rows = void(const float*, float*, int, int);

static void sums_of_rows(const std::string& name, int rows, int columns) {
    const gpu::RawKernel<Rows> kernel(gpu::file("rows.cu"), name);
    const auto a = gpu::random::Generator(8).integers<int>({rows, columns}, 0, 100).astype<float>();
    auto sums = gpu::empty<float>({rows});
    const int grid = name == "per_block" ? rows : (rows + 255) / 256;
    const gpu::CheckReport report =
        gpu::check([&] { kernel({.grid = grid, .block = 256}, a, sums, rows, columns); });
    const gpu::WorkCounts& work = report.kernels.at(0).work;
    std::printf("%-10s  %2d x %4d  sectors per request %4.1f  barriers per block %d  %s\n", name.c_str(), rows, columns,
                double(work.global_sectors) / double(work.global_requests), int(work.barriers) / grid,
                gpu::array_equal(sums, gpu::sum(a, {.axis = 1})).item() ? "right" : "wrong");
}

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // work is counted by check mode, on the host backend
    for (const int columns : {40, 1000})
        for (const char* const name : {"per_thread", "per_block"}) sums_of_rows(name, 64, columns);
}
