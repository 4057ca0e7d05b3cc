// SPDX-License-Identifier: MIT
// The same kernels on the host backend and on a GPU, as LIBGPU_DEVICE says. `--in-check-mode` runs them all in check
// mode: these kernels are right, so nothing may be found.
#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <gpu/check.hpp>

#include "support.hpp"
#include "support/wanted_gpu.hpp"

int main(int argc, char** argv) {
    if (wanted_gpu_is_missing()) return 77;
    if (argc < 2 || std::string_view(argv[1]) != "--in-check-mode") return doctest::Context(argc, argv).run();
    in_check_mode = true;
    int failed = 0;
    const gpu::CheckReport report = gpu::check([&] { failed = doctest::Context(argc - 1, argv + 1).run(); });
    for (const gpu::Finding& finding : report.findings) {
        std::printf("%s\n%s\n%s\n\n", finding.what.c_str(), finding.who.c_str(), finding.advice.c_str());
        failed = 1;
    }
    return failed;
}
