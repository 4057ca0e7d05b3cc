// SPDX-License-Identifier: MIT
// How long a copy to the device takes, from 4 bytes to 64 MiB: from ordinary memory, and from page-locked memory.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <span>
#include <vector>

#include <gpu/gpu.hpp>

namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// Microseconds for one copy: the median of 9, after one that doesn't count.
double copy_time(gpu::Array<float>& device, std::span<const float> host) {
    std::vector<double> times;
    for (int repeat = 0; repeat < 10; ++repeat) {
        gpu::synchronize();
        const auto start = Clock::now();
        device.copy_from(host);
        gpu::synchronize();
        if (repeat > 0) times.push_back(microseconds_since(start));
    }
    std::nth_element(times.begin(), times.begin() + 4, times.end());
    return times[4];
}

}  // namespace

int main() {
    constexpr std::size_t most = std::size_t{1} << 24;  // floats: 64 MiB
    const std::vector<float> pageable(most, 1.0f);
    const auto start = Clock::now();
    auto pinned = gpu::Pinned<float>::uninitialized(most);
    const double allocating = microseconds_since(start);
    std::copy(pageable.begin(), pageable.end(), pinned.begin());

    std::puts("     bytes      pageable            page-locked");
    for (std::size_t n = 1; n <= most; n *= 8) {
        gpu::Array<float> device = gpu::empty<float>({n});
        const double bytes = 4.0 * static_cast<double>(n);
        const double one = copy_time(device, std::span(pageable).first(n));
        const double other = copy_time(device, std::span(pinned.data(), n));
        std::printf("%10.0f  %9.1f us %6.2f GB/s  %9.1f us %6.2f GB/s\n", bytes, one, bytes / one * 1e-3, other,
                    bytes / other * 1e-3);
    }
    std::printf("allocating 64 MiB of page-locked memory took %.0f us\n", allocating);
}
