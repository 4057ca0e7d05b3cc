// SPDX-License-Identifier: MIT
// 4 MB to the device in one copy, and in 1000 copies of 4 kB.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

template <class F>
double median_microseconds(F&& call) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    for (int repeat = 0; repeat < 8; ++repeat) {
        gpu::synchronize();
        const auto start = Clock::now();
        call();
        gpu::synchronize();
        if (repeat > 0) times.push_back(std::chrono::duration<double, std::micro>(Clock::now() - start).count());
    }
    std::nth_element(times.begin(), times.begin() + 3, times.end());
    return times[3];
}

}  // namespace

int main() {
    constexpr int rows = 1000, columns = 1000;
    const std::vector<float> host(rows * columns, 1.0f);
    gpu::Array<float> device = gpu::empty<float>({rows, columns});

    // [pieces]
    const auto in_pieces = [&] {
        for (int row = 0; row < rows; ++row)
            device(row, gpu::all).copy_from(std::span(host.data() + row * columns, columns));
    };
    const auto at_once = [&] { device.copy_from(host); };
    // [/pieces]
    const double pieces = median_microseconds(in_pieces), once = median_microseconds(at_once);
    std::printf("1000 copies of 4 kB   %8.0f us\n", pieces);
    std::printf("one copy of 4 MB      %8.0f us\n", once);
    std::printf("in pieces it takes %.1f times as long\n", pieces / once);
}
