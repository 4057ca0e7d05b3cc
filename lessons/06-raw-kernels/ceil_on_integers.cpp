// SPDX-License-Identifier: MIT
// Shows 257 elements in blocks of 256 threads: how many blocks two ways of rounding give, and what they leave out.
#include <cmath>
#include <cstdio>
#include <string>

#include <gpu/gpu.hpp>

GPU_KERNEL(fill, (float* z, int n), R"(
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 1;
)");

int main() {
    const int n = 257, block = 256;
    // [grids]
    const int too_few = std::ceil(n / block);    // n / block is an int already: 1
    const int enough = (n + block - 1) / block;  // rounds up on integers: 2
    // [/grids]
    std::string missing;
    for (const int grid : {too_few, enough}) {
        auto z = gpu::zeros<float>({n});
        fill({.grid = grid, .block = block}, z, n);
        const std::vector<float> values = gpu::to_host(z);
        std::string never;
        for (int i = 0; i < n; ++i)
            if (values[i] == 0) never += " " + std::to_string(i);
        std::printf("grid %d, %d threads, never written:%s\n", grid, grid * block,
                    never.empty() ? " -" : never.c_str());
        if (grid == too_few) missing = never;
    }
    std::printf("Answer: element%s is never written\n", missing.c_str());
}
