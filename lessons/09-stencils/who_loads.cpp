// SPDX-License-Identifier: MIT
// Shows which thread of a 4 x 4 block loads which of the 6 x 6 cells, and in which of its rounds.
#include <algorithm>
#include <cstdio>
#include <utility>
#include <vector>

#include <gpu/gpu.hpp>

GPU_KERNEL(load, (int* loader, int* round, int tile, int side), R"(
    const int t = tile * threadIdx.y + threadIdx.x;
    for (int cell = t; cell < side * side; cell += tile * tile) {
        loader[cell] = t;
        round[cell] = cell / (tile * tile) + 1;
    }
)");

/// The cells' loaders and rounds, row by row.
static std::pair<std::vector<int>, std::vector<int>> loaders(int tile) {
    const int side = tile + 2;
    auto loader = gpu::full<int>({side, side}, -1), round = gpu::full<int>({side, side}, 0);
    load({.grid = 1, .block = {tile, tile}}, loader, round, tile, side);
    return {gpu::to_host(loader), gpu::to_host(round)};
}

int main() {
    const auto [who, rounds] = loaders(4);
    for (std::size_t cell = 0; cell < who.size(); ++cell)
        std::printf("%2d/%d%s", who[cell], rounds[cell], cell % 6 == 5 ? "\n" : " ");
    const auto large = loaders(16).second;
    std::printf("Answer: %d\n", int(std::count(large.begin(), large.end(), 2)));
}
