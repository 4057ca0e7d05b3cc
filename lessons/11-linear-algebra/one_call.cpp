// SPDX-License-Identifier: MIT
// Measures the singular values of 1024 small matrices, in a loop and in one call.
#include <cstdio>

#include <gpu/gpu.hpp>
#include <gpu/ledger.hpp>

int main() {
    const int count = 1024;
    const auto stack = gpu::random::Generator(11).uniform<float>({count, 16, 16}, -1, 1);
    auto values = gpu::empty<float>({count, 16});
    const auto loop = [&] {
        for (int i = 0; i < count; ++i) values(i, gpu::all) = gpu::linalg::svdvals(stack(i, gpu::all, gpu::all));
    };
    const auto one_call = [&] { values = gpu::linalg::svdvals(stack); };

    long long waits = 0;
    const auto count_and_measure = [&](const char* name, const auto& work) {
        work();  // warm-up
        {
            const gpu::Ledger ledger;
            work();
            const gpu::Counts counts = ledger.totals();
            waits = (long long)counts.synchronizations;
            std::printf("%-9s %5lld launches  %5lld allocations  %5lld waits", name, (long long)counts.launches,
                        (long long)counts.allocations, waits);
        }
        const double us = gpu::benchmark(work, {.warmup = 1, .repeat = 5}).host.median_us;
        std::printf("  %8.1f ms\n", us / 1000);
    };
    count_and_measure("a loop", loop);
    std::printf("Answer: %lld\n", waits);
    count_and_measure("one call", one_call);
}
