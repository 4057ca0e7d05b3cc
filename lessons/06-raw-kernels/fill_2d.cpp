// SPDX-License-Identifier: MIT
// Shows the 2-D index: x is the column, y the row, and each of them is rounded up by itself.
#include <cstdio>

#include <gpu/gpu.hpp>

int main() {
    const gpu::RawKernel<void(float*, int, int)> fill(gpu::file("fill_2d.cu"), "fill");
    const int rows = 19, columns = 67;
    // [launch]
    const gpu::Dim3 block(32, 8);  // x first: 32 columns, 8 rows
    const gpu::Dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    auto a = gpu::full<float>({rows, columns}, -1);
    fill({.grid = grid, .block = block}, a, rows, columns);
    // [/launch]
    const auto want = gpu::arange<float>(rows * columns).reshape({rows, columns});
    std::printf("%d x %d elements: %s\n", rows, columns, gpu::array_equal(a, want).item() ? "right" : "wrong");
    std::printf("grid %d x %d, %d threads for %d elements\n", int(grid.x), int(grid.y),
                int(grid.x * grid.y * block.x * block.y), rows * columns);
    std::printf("Answer: %d\n", int(grid.x * grid.y));
}
