// SPDX-License-Identifier: MIT
// Shows four rules for what lies beyond the edge of an array of 5 elements, three of them as an index.
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

GPU_KERNEL(indices, (int* rule, int n, int beyond), R"(
    const int k = int(threadIdx.x) - beyond;
    int* const mine = rule + threadIdx.x;
    const int threads = blockDim.x;
    mine[0] = min(max(k, 0), n - 1);                               // nearest: a a a|a b c d e|e e e
    mine[threads] = (k % n + n) % n;                               // wrap:    c d e|a b c d e|a b c
    mine[2 * threads] = k < 0 ? -1 - k : min(k, 2 * n - 1 - k);    // mirror:  c b a|a b c d e|e d c
    mine[3 * threads] = k >= 0 && k < n ? k : -1;                  // zero: no index, but a value in its place
)");

int main() {
    const int n = 5, beyond = 3, threads = n + 2 * beyond;
    auto rule = gpu::zeros<int>({4, threads});
    indices({.grid = 1, .block = threads}, rule, n, beyond);
    const auto index = gpu::to_host(rule);
    std::printf("%-8s", "k");
    for (int t = 0; t < threads; ++t) std::printf("%4d", t - beyond);
    const char* const names[] = {"nearest", "wrap", "mirror", "zero"};
    for (int r = 0; r < 4; ++r) {
        std::printf("\n%-8s", names[r]);
        for (int t = 0; t < threads; ++t) {
            const int i = index[std::size_t(r * threads + t)];
            std::printf("%4s", i < 0 ? "-" : std::to_string(i).c_str());
        }
    }
    std::printf("\nAnswer: %d\n", index[std::size_t(threads + 1)]);
}
