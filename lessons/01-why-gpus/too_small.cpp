// SPDX-License-Identifier: MIT
// The sum of two vectors: Eigen on one CPU thread; on the device with both copies; on the device with everything there.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <gpu/eigen.hpp>
#include <gpu/gpu.hpp>

namespace {

/// Microseconds for one call: the median of repeats, after one that doesn't count.
template <class F>
double microseconds(F&& call) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    call();
    gpu::synchronize();
    for (int repeat = 0; repeat < 9; ++repeat) {
        const auto start = Clock::now();
        call();
        gpu::synchronize();
        times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + 4, times.end());
    return times[4];
}

}  // namespace

int main() {
    std::puts("    floats   Eigen         with copies   on the device");
    double ratio_of_small = 0;
    for (const int n : {1000, 100'000, 10'000'000}) {
        const Eigen::ArrayXf a = Eigen::ArrayXf::Random(n), b = Eigen::ArrayXf::Random(n);
        Eigen::ArrayXf c(n);
        const double eigen = microseconds([&] { c = a + b; });
        // [trip]
        const auto trip = [&] {
            const gpu::Array<float> x = gpu::to_device(a), y = gpu::to_device(b);
            const gpu::Array<float> z = x + y;
            z.copy_to(c);
        };
        // [/trip]
        const double with_copies = microseconds(trip);
        const gpu::Array<float> x = gpu::to_device(a), y = gpu::to_device(b);
        gpu::Array<float> z = gpu::empty<float>({n});
        const double there = microseconds([&] { z = x + y; });
        std::printf("%10d   %8.1f us   %8.1f us   %8.1f us\n", n, eigen, with_copies, there);
        if (n == 1000) ratio_of_small = with_copies / eigen;
    }
    std::printf("1000 floats, with copies: %.0f times as long as Eigen\n", ratio_of_small);
    std::printf("Answer: %s\n", ratio_of_small > 3 ? "far slower" : ratio_of_small > 0.7 ? "about equal" : "faster");
}
