// SPDX-License-Identifier: MIT
// Shows which threads come to each barrier of a tree: all of them, and half of them. Given a folder, it draws both.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

static std::string found(const std::string& name, const std::string& folder) {
    const gpu::RawKernel<void(const float*, float*)> kernel(gpu::file("tree.cu"), name);
    const gpu::Array<float> x = gpu::arange<float>(8) + 1;
    auto total = gpu::zeros<float>({});
    const gpu::Trace trace =
        gpu::trace([&] { kernel({.grid = 1, .block = 8}, x, total); }, {.check = {.strict_barriers = true}});
    std::printf("%s: sum %g, barriers %d, %s\n", name.c_str(), total.item(), int(trace.report.kernels[0].work.barriers),
                trace.report.clean() ? "no mistake found" : "found:");
    for (const gpu::Finding& finding : trace.report.findings) std::printf("  %s\n", finding.what.c_str());
    if (!folder.empty()) trace.write_svg(folder + "/lanes_" + name + ".svg", gpu::Picture::lanes);
    return trace.report.clean() ? "right" : std::string(to_string(trace.report.findings[0].kind));
}

int main(int argc, char** argv) {
    const gpu::DeviceGuard guard(gpu::Device::host());  // pictures come from the host backend's check mode
    const std::string folder = argc > 1 ? argv[1] : "";
    found("tree", folder);
    std::printf("Answer: %s\n", found("barrier_in_if", folder).c_str());
}
