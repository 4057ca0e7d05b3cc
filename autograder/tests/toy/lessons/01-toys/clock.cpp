// SPDX-License-Identifier: MIT
// Each repeat takes a time of its own.
#include <chrono>
#include <cstdio>

int main() {
    using Clock = std::chrono::steady_clock;
    for (int repeat = 0; repeat < 2; ++repeat) {
        const auto start = Clock::now();
        const std::chrono::duration<double, std::micro> time = Clock::now() - start;
        std::printf("repeat %d: %8.3f us\n", repeat, time.count());
    }
}
