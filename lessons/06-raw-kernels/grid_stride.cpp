// SPDX-License-Identifier: MIT
// Shows that a grid-stride loop is right for every grid, and which elements one thread takes.
#include <algorithm>
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    // [launch]
    const gpu::RawKernel<void(const float*, const float*, float*, int)> add(gpu::file("grid_stride.cu"), "add");
    // [/launch]
    const gpu::RawKernel<void(int*, int)> who(gpu::file("grid_stride.cu"), "who");
    const int n = 1000, block = 256, thread = 300;
    const auto x = gpu::arange<float>(n), y = gpu::full<float>({n}, 2);
    for (const int grid : {1, 2, 4, 40}) {
        auto z = gpu::zeros<float>({n});
        // [launch]
        add({.grid = grid, .block = block}, x, y, z, n);
        // [/launch]
        const bool right = gpu::array_equal(z, x + y).item();

        auto owner = gpu::full<int>({n}, -1);
        who({.grid = grid, .block = block}, owner, n);
        const std::vector<int> owners = gpu::to_host(owner);
        const auto taken = std::count(owners.begin(), owners.end(), thread);
        std::printf("grid %2d: %s, thread %d adds %d\n", grid, right ? "right" : "wrong", thread, int(taken));
        if (grid == 2) std::printf("Answer: %d\n", int(taken));
    }
}
