// SPDX-License-Identifier: MIT
// Shows why a barrier stands between two reductions through one buffer. Given a folder, it draws the race.
#include <cstdio>
#include <string>
#include <vector>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

/// What check mode finds in the kernel, compiled with these options; prints it.
static std::string found(const std::vector<std::string>& options, const std::string& folder) {
    const gpu::RawKernel<void(const float*, float*, int)> kernel(gpu::file("two_reductions.cu"), "peak_over_mean",
                                                                  {options});
    const int columns = 1000;
    const auto a = gpu::random::Generator(8).integers<int>({2, columns}, -99, 100).astype<float>();
    auto result = gpu::empty<float>({2});
    const gpu::Trace trace = gpu::trace([&] { kernel({.grid = 2, .block = 256}, a, result, columns); });
    const gpu::Array<float> size = gpu::abs(a), peak = gpu::max(size, {.axis = 1});
    const gpu::Array<float> want = peak * float(columns) / gpu::sum(size, {.axis = 1});
    std::printf("%s: %s values, findings: %d\n", options.empty() ? "no barrier between" : "a barrier between ",
                gpu::array_equal(result, want).item() ? "right" : "wrong", int(trace.report.findings.size()));
    std::printf("%s", trace.report.to_text().c_str());
    if (!folder.empty()) trace.write_svg(folder + "/two_reductions.svg", gpu::Picture::races);
    return trace.report.clean() ? "no" : trace.report.findings[0].variable;
}

int main(int argc, char** argv) {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const std::string variable = found({}, argc > 1 ? argv[1] : "");
    found({"-DBARRIER"}, "");
    std::printf("Answer: a race on %s\n", variable.c_str());
}
