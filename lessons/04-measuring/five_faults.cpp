// SPDX-License-Identifier: MIT
// Shows what a benchmark with five faults reports, and what it reports when they are repaired one by one.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include <gpu/gpu.hpp>

using Clock = std::chrono::steady_clock;
static double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}
static void report(const char* what, double ms) { std::printf("%-34s %9.3f ms\n", what, ms); }

int main() {
    setenv("LIBGPU_CACHE_DIR", "", 1);  // as on a new machine, where no kernel has been compiled yet
    const int n = gpu::Device::current().kind() == gpu::BackendKind::cuda ? 1 << 27 : 1 << 22;
    std::vector<float> h(n, 3.f);
    auto x = gpu::to_device(h), z = gpu::zeros<float>({n});
    const gpu::ElementwiseKernel loss("float x", "float z", "z = sqrt(1 + x * x) - 1", "loss");
    // [faulty]
    auto start = Clock::now();
    loss(x, gpu::out(z));
    report("one cold launch", ms_since(start));
    // [/faulty]
    gpu::synchronize();
    start = Clock::now();
    loss(x, gpu::out(z));
    report("1 after a warm-up", ms_since(start));
    gpu::synchronize();
    // [timed]
    const auto timed = [&] {
        start = Clock::now();
        loss(x, gpu::out(z));
        gpu::synchronize();
        return ms_since(start);
    };
    // [/timed]
    report("2 and with a wait", timed());

    std::vector<double> ms(31);
    for (double& each : ms) each = timed();
    report("3 the mean of 31 repeats", std::accumulate(ms.begin(), ms.end(), 0.0) / 31);
    std::nth_element(ms.begin(), ms.begin() + 15, ms.end());
    report("4 their median", ms[15]);

    // [copies]
    start = Clock::now();
    x.copy_from(h);
    loss(x, gpu::out(z));
    z.copy_to(h);
    // [/copies]
    report("5 once, with both copies", ms_since(start));
    // [benchmark]
    const auto benchmark = gpu::benchmark([&] { loss(x, gpu::out(z)); }, {.warmup = 3, .repeat = 31});
    // [/benchmark]
    report("gpu::benchmark: median, device", benchmark.device.median_us / 1000);
}
