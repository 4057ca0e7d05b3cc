// SPDX-License-Identifier: MIT
// Shows what a tile in shared memory saves, and what its 32 banks ask for. Given a folder, it draws the banks.
#include <algorithm>
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

/// Bank ways of the kernel's worst line; prints its sectors and ways, and draws it unless `folder` is empty.
static double ways(const std::string& name, int pitch, const std::string& folder) {
    const std::string option = "-DPITCH=" + std::to_string(pitch);
    const gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::file("row_sums.cu"), name, {{option}});
    const int rows = 64;
    const auto a = gpu::arange<float>(rows * 32).reshape({rows, 32});
    auto sums = gpu::zeros<float>({rows});
    const gpu::Dim3 block = name == "direct" ? gpu::Dim3(32) : gpu::Dim3(32, 32);
    const gpu::Trace trace = gpu::trace([&] { kernel({.grid = 2, .block = block}, a, sums, rows); }, {.threads = 1024});
    double worst = 0, sectors = 0;
    gpu::PictureOptions reads_tile;
    for (const gpu::LineCounts& line : trace.report.kernels.at(0).lines) {
        const gpu::WorkCounts& work = line.work;
        if (work.shared_requests > 0) {
            worst = std::max(worst, double(work.shared_wavefronts) / work.shared_requests);
            reads_tile.line = line.line;  // the last such line
        }
        if (work.global_requests > 0) sectors = std::max(sectors, double(work.global_sectors) / work.global_requests);
    }
    const std::string tile = pitch == 0 ? "no tile" : "pitch " + std::to_string(pitch);
    std::printf("%-8s  %-8s  sectors per request %2g  bank ways %2g  %s\n", name.c_str(), tile.c_str(), sectors, worst,
                gpu::allclose(sums, gpu::sum(a, {.axis = 1})).item() ? "right" : "wrong");
    if (!folder.empty())
        trace.write_svg(folder + "/banks_pitch_" + std::to_string(pitch) + ".svg", gpu::Picture::banks, reads_tile);
    return worst;
}

int main(int argc, char** argv) {
    const gpu::DeviceGuard guard(gpu::Device::host());  // counts and pictures come from the host backend's check mode
    const std::string folder = argc > 1 ? argv[1] : "";
    ways("direct", 0, "");
    std::printf("Answer: %g\n", ways("row_sums", 32, folder));
    ways("row_sums", 33, folder);
}
