// SPDX-License-Identifier: MIT
// Conway's game of life on a torus, bytes for cells, a tile with its halo in shared memory.

constexpr int tile_size = 8;
constexpr int with_halo = tile_size + 2;

__global__ void step(const unsigned char* from, unsigned char* to, int width, int height) {
    __shared__ unsigned char tile[with_halo][with_halo];
    int x = blockIdx.x * tile_size + threadIdx.x, y = blockIdx.y * tile_size + threadIdx.y;
    for (int k = threadIdx.y * tile_size + threadIdx.x; k < with_halo * with_halo; k += tile_size * tile_size) {
        int row = k / with_halo, column = k % with_halo;
        int u = (blockIdx.x * tile_size + column - 1 + width) % width;
        int v = (blockIdx.y * tile_size + row - 1 + height) % height;
        tile[row][column] = from[v * width + u];
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    int around = 0;
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 3; ++column) around += tile[threadIdx.y + row][threadIdx.x + column];
    bool alive = tile[threadIdx.y + 1][threadIdx.x + 1] != 0;
    to[y * width + x] = around == 3 || (alive && around == 4);
}
