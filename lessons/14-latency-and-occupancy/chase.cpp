// SPDX-License-Identifier: MIT
// Measures how long one load takes: one thread follows a chain of addresses, so that no load can begin before the last
// one has ended.
#include <cstdio>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

// [chase]
GPU_KERNEL(chase, (const int* next, int* at, int steps), R"(
    int i = *at;
    for (int k = 0; k < steps; ++k) i = next[i];  // where to read next is what was read
    *at = i;
)");
// [/chase]

/// One ring through all pieces of 128 bytes, in random order: nobody can guess the next one.
static std::vector<int> ring(int pieces) {
    std::mt19937 random(1);
    std::vector<int> order(pieces);
    std::iota(order.begin(), order.end(), 0);
    for (int k = pieces - 1; k > 0; --k) std::swap(order[k], order[random() % k]);
    std::vector<int> next(32 * static_cast<std::size_t>(pieces));
    for (int k = 0; k < pieces; ++k) next[32 * static_cast<std::size_t>(k)] = 32 * order[k];
    return next;
}

int main() {
    const bool on_gpu = gpu::Device::current().kind() == gpu::BackendKind::cuda;
    for (const auto& [what, kib] : {std::pair{"a small array", 16}, std::pair{"a medium array", 4 << 10},
                                    std::pair{"a large array", on_gpu ? 512 << 10 : 32 << 10}}) {
        const gpu::Array<int> next = gpu::to_device(ring(8 * kib));
        auto at = gpu::zeros<int>({1});  // each launch goes on where the last one stopped
        const int steps = 1 << 14;
        const auto launch = [&] { chase({.grid = 1, .block = 1}, next, at, steps); };
        const double us = gpu::benchmark(launch, {.warmup = 2, .repeat = 7}).device.median_us;
        std::printf("%-15s %7d KiB %7.0f ns per load\n", what, kib, 1e3 * us / steps);
    }
}
