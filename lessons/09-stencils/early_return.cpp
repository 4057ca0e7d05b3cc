// SPDX-License-Identifier: MIT
// Shows what check mode finds when threads without an element return before they have loaded their cells.
#include <cstdio>
#include <set>
#include <string>

#include <gpu/gpu.hpp>

int main() {
    const gpu::DeviceGuard guard(gpu::Device::host());  // check mode is the host backend's
    const int n = 300;
    const auto x = gpu::arange<float>(n);
    for (const char* const early : {"-DRETURN_EARLY=0", "-DRETURN_EARLY=1"}) {
        const gpu::RawKernel<void(const float*, float*, int)> mean(gpu::file("early_return.cu"), "mean", {{early}});
        auto y = gpu::zeros<float>({n});
        const gpu::CheckReport report =
            gpu::check([&] { mean({.grid = 2, .block = 256}, x, y, n); }, {.strict_barriers = true});
        std::printf("%s: %d findings\n", early, int(report.findings.size()));
        std::set<gpu::FindingKind> kinds;
        for (const gpu::Finding& finding : report.findings) {
            std::printf("  %s\n  %s\n", finding.what.c_str(), finding.who.c_str());
            kinds.insert(finding.kind);
        }
        const bool unwritten = kinds.count(gpu::FindingKind::uninitialized_read) > 0;
        const bool skipped = kinds.count(gpu::FindingKind::skipped_barrier) > 0;
        if (!kinds.empty())
            std::printf("Answer: %s, and the barrier is %s\n",
                        unwritten ? "cells stay unwritten" : "all cells are written", skipped ? "skipped" : "kept");
    }
}
