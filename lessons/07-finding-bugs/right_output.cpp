// SPDX-License-Identifier: MIT
// Shows a kernel whose numbers are right for every size, and what check mode says of it. Given a folder, it draws that.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>
#include <gpu/trace.hpp>

using Kernel = gpu::RawKernel<void(const float*, float*, int)>;

/// i * i, whose differences are 2 i - 1.
static gpu::Array<float> squares(int n) {
    const auto i = gpu::arange<float>(n);
    return i * i;
}

int main(int argc, char** argv) {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const Kernel second_try(gpu::file("differences.cu"), "second_try");
    for (const int n : {1, 33, 256, 1000, 4000}) {
        const auto x = squares(n);
        auto y = gpu::zeros<float>({n});
        second_try({.grid = (n + 255) / 256, .block = 256}, x, y, n);
        const auto i = gpu::arange<float>(n);
        const gpu::Array<float> want = gpu::where(i > 0, 2 * i - 1, 0.0f);
        std::printf("n = %4d: %s\n", n, gpu::array_equal(y, want).item() ? "right" : "wrong");
    }
    const Kernel third_try(gpu::file("differences.cu"), "differences");
    for (const Kernel* kernel : {&second_try, &third_try}) {
        const bool second = kernel == &second_try;
        const auto x = squares(1000);
        auto y = gpu::zeros<float>({1000});
        // [check]
        const auto launch = [&] { (*kernel)({.grid = 4, .block = 256}, x, y, 1000); };
        const gpu::CheckReport report = gpu::check(launch);
        std::printf("%s in check mode: %s\n", second ? "second_try" : "differences",
                    report.clean() ? "nothing found" : report.to_text().c_str());
        // [/check]
        if (second) std::printf("Answer: a %s\n", report.clean() ? "clean run" : "race on part");
        if (second && argc > 1)
            gpu::trace(launch, {.threads = 256}).write_svg(std::string(argv[1]) + "/race.svg", gpu::Picture::races);
    }
}
