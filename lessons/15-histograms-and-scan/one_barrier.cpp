// SPDX-License-Identifier: MIT
// Shows what check mode says of a scan with one barrier per round. Given a folder, it draws the race.
#include <iostream>
#include <string>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

int main(int argc, char** argv) {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const gpu::RawKernel<void(const int*, int*)> scan(gpu::file("scans.cu"), "one_barrier");
    const auto x = gpu::ones<int>({8});
    auto y = gpu::empty<int>({8});
    const gpu::Trace trace = gpu::trace([&] { scan({.grid = 1, .block = 8}, x, y); });
    std::cout << "y = " << y << "\n" << trace.report.to_text();
    if (argc > 1) trace.write_svg(std::string(argv[1]) + "/one_barrier.svg", gpu::Picture::races);
    std::cout << "Answer: " << (trace.report.clean() ? "right" : "wrong") << "\n";
}
