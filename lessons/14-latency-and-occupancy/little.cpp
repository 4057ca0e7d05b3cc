// SPDX-License-Identifier: MIT
// Computes by Little's law how much has to be under way on an H200, and how fast memory can be read at most if less is.
#include <algorithm>
#include <cmath>
#include <cstdio>

int main() {
    // About what chase and in_flight measured there, in nanoseconds and in bytes per nanosecond, which is GB/s.
    const double latency = 340, bandwidth = 4300;
    const int multiprocessors = 132;
    const double kb = latency * bandwidth / 1e3 / multiprocessors;
    std::printf("%.0f GB/s x %.0f ns = %.0f kB, %.1f kB on each multiprocessor\n", bandwidth, latency,
                latency * bandwidth / 1e3, kb);
    std::printf("Answer: %.1f\n", kb);
    std::printf("Answer: %.0f\n", std::ceil(1e3 * kb / (2 * 256 * sizeof(float))));
    std::printf("GB/s at most   1 load     2 loads     4 loads     8 loads\n");
    for (const int blocks : {1, 2, 4, 8}) {
        std::printf("%d block%-2s", blocks, blocks == 1 ? "" : "s");
        for (const int loads : {1, 2, 4, 8}) {
            const double in_flight = multiprocessors * blocks * 256. * loads * sizeof(float);
            std::printf("%12.0f", std::min(bandwidth, in_flight / latency));
        }
        std::printf("\n");
    }
}
