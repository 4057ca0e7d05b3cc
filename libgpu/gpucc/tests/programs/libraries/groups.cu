// SPDX-License-Identifier: MIT
// Cooperative groups: tiles, a block, and a grid that waits for all its blocks.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__device__ int tile_sum(cg::thread_block_tile<8> tile, int value) {
    for (int step = tile.size() / 2; step > 0; step /= 2) value += tile.shfl_down(value, step);
    return value;
}
__global__ void tiles(int* out) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    const int sum = tile_sum(tile, block.thread_rank());
    if (tile.thread_rank() == 0) out[block.thread_rank() / 8] = sum;
}
__global__ void rounds(int* x, int n, int times) {
    cg::grid_group grid = cg::this_grid();
    const int i = int(grid.thread_rank());
    for (int k = 0; k < times; ++k) {
        const int next = x[(i + 1) % n];
        grid.sync();
        x[i] = next;
        grid.sync();
    }
}

int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof h);
    tiles<<<1, 64>>>(d);
    cudaMemcpy(h, d, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) printf("%d%c", h[i], i < 7 ? ' ' : '\n');
    for (int i = 0; i < 64; ++i) h[i] = i;
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    int n = 64, times = 5;
    void* arguments[] = {&d, &n, &times};
    const cudaError_t error = cudaLaunchCooperativeKernel((void*)rounds, dim3(2), dim3(32), arguments, 0, 0);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%s: %d %d %d\n", cudaGetErrorString(error), h[0], h[58], h[63]);
    cudaFree(d);
    return 0;
}
