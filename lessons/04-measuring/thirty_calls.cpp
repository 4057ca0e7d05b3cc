// SPDX-License-Identifier: MIT
// Shows thirty calls of one kernel, each timed alone: the first, the usual ones, and those that were disturbed.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include <gpu/gpu.hpp>

int main() {
    setenv("LIBGPU_CACHE_DIR", "", 1);  // as on a new machine, where no kernel has been compiled yet
    using Clock = std::chrono::steady_clock;
    const int n = gpu::Device::current().kind() == gpu::BackendKind::cuda ? 1 << 26 : 1 << 20;
    const auto x = gpu::ones<float>({n});
    auto z = gpu::zeros<float>({n});
    gpu::synchronize();

    const gpu::ElementwiseKernel loss("float x", "float z", "z = sqrt(1 + x * x) - 1", "loss");
    std::vector<double> us;
    for (int call = 0; call < 30; ++call) {
        const auto start = Clock::now();
        loss(x, gpu::out(z));
        gpu::synchronize();
        us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
        std::printf("%9.1f%s", us.back(), call % 6 == 5 ? " us\n" : "");
    }
    const double first = us[0], mean = std::accumulate(us.begin(), us.end(), 0.0) / 30;
    std::sort(us.begin(), us.end());
    const double median = (us[14] + us[15]) / 2;
    std::printf("least %.1f us, median %.1f us, mean %.1f us, most %.1f us\n", us[0], median, mean, us[29]);
    std::printf("Answer: %.0f\n", first / median);
}
