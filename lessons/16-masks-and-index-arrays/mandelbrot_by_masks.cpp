// SPDX-License-Identifier: MIT
// Counts what the Mandelbrot set moves in three ways: by masks, by arrays that shrink, by a kernel with a loop.
#include <cstdio>

#include <gpu/gpu.hpp>

#include "mandelbrot.hpp"

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // counts come from the host backend's check mode
    const int rows = 90, columns = 120;
    const auto [x, y] =
        gpu::meshgrid(gpu::linspace<float>(-2, 1, columns), gpu::linspace<float>(-1.125f, 1.125f, rows));
    const gpu::Array<Complex> c = x + Complex(0, 1) * y;
    gpu::Array<int> want;
    double words[3];
    int one = 0;
    const auto count = [&](const char* name, const auto& draw) {
        gpu::Array<int> steps;
        const gpu::CheckReport report = gpu::check([&] { steps = draw(c); });
        gpu::WorkCounts all;
        for (const gpu::KernelCounts& kernel : report.kernels) all += kernel.work;
        words[one] = double(all.global_bytes_read + all.global_bytes_written) / 4 / double(c.size());
        if (one == 0) want = steps;
        std::printf("%-16s launches %3d  waits %3d  words per pixel %4.0f  %s\n", name, int(report.host.launches),
                    int(report.host.synchronizations), words[one++],
                    gpu::array_equal(steps, want).item() ? "the same picture" : "another picture");
    };
    count("masks", by_masks);
    count("index arrays", by_indices);
    count("a loop inside", by_loop);
    std::printf("Answer: %.0f\n", words[0] / words[2]);
}
