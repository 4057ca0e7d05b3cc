// SPDX-License-Identifier: MIT
// Shows what x as the row costs: right values, and more sectors. Given a folder, it draws both kernels.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

using Copy = void(const float*, float*, int, int);

/// Sectors per request of the kernel; its pictures go to `folder`, unless that is empty.
static double sectors(const std::string& name, gpu::Dim3 block, const std::string& folder) {
    const gpu::RawKernel<Copy> copy(gpu::file("x_is_the_column.cu"), name);
    const int rows = int(block.x), columns = block.x == 8 ? 16 : 64;
    const auto a = gpu::random::Generator(6).uniform<float>({rows, columns});
    auto b = gpu::zeros<float>({rows, columns});
    const gpu::Trace trace = gpu::trace([&] {
        const gpu::Dim3 grid = name == "x_as_column" ? gpu::Dim3(columns / block.x, rows / block.y)
                                                     : gpu::Dim3(rows / block.x, columns / block.y);
        copy({.grid = grid, .block = block}, a, b, rows, columns);
    });
    const gpu::WorkCounts& work = trace.report.kernels.at(0).work;
    std::printf("%-11s  block %2d x %d: %4.1f sectors per request, %s\n", name.c_str(), int(block.x), int(block.y),
                double(work.global_sectors) / work.global_requests, gpu::array_equal(a, b).item() ? "right" : "wrong");
    if (!folder.empty()) {
        trace.write_svg(folder + "/map_" + name + ".svg", gpu::Picture::map);
        trace.write_svg(folder + "/requests_" + name + ".svg", gpu::Picture::requests);
    }
    return double(work.global_sectors) / work.global_requests;
}

int main(int argc, char** argv) {
    const gpu::DeviceGuard guard(gpu::Device::host());  // pictures and counts come from the host backend's check mode
    const std::string folder = argc > 1 ? argv[1] : "";
    sectors("x_as_column", {32, 8}, "");
    const double answer = sectors("x_as_row", {32, 8}, "");
    sectors("x_as_column", {8, 8}, folder);
    sectors("x_as_row", {8, 8}, folder);
    std::printf("Answer: %g\n", answer);
}
