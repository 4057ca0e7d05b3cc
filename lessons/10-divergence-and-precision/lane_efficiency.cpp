// SPDX-License-Identifier: MIT
// Shows how much of its lanes' work a warp wastes on the Mandelbrot set, for several shapes of it.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <gpu/gpu.hpp>

GPU_KERNEL(escape, (int* steps, int side, int most), R"(
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= side || column >= side) return;
    const float cx = -2.0f + 3.0f * column / side, cy = -1.5f + 3.0f * row / side;
    float x = 0.0f, y = 0.0f;
    int n = 0;
    while (n < most) {
        const float next = x * x - y * y + cx;
        y = 2.0f * x * y + cy;
        x = next;
        ++n;
        if (x * x + y * y > 4.0f) break;
    }
    steps[row * side + column] = n;
)");

/// The part of the lanes' steps that is of use, if a warp is `width` columns of 32 / width rows.
static double efficiency(const std::vector<int>& steps, int side, int width) {
    const int height = 32 / width;
    double used = 0, taken = 0;
    for (int row = 0; row < side; row += height)
        for (int column = 0; column < side; column += width) {
            int longest = 0;
            for (int t = 0; t < 32; ++t) {
                const int mine = steps[std::size_t((row + t / width) * side + column + t % width)];
                longest = std::max(longest, mine);
                used += mine;
            }
            taken += 32.0 * longest;
        }
    return used / taken;
}

int main() {
    const int side = 256;
    auto steps = gpu::zeros<int>({side, side});
    escape({.grid = {side / 32, side / 8}, .block = {32, 8}}, steps, side, 256);
    const std::vector<int> counts = gpu::to_host(steps);
    for (const int width : {32, 16, 8, 4, 2, 1})
        std::printf("warp of %2d x %-2d  %4.1f %%\n", width, 32 / width, 100 * efficiency(counts, side, width));
    std::printf("Answer: %.0f %% and %.0f %%\n", 100 * efficiency(counts, side, 32), 100 * efficiency(counts, side, 8));
}
