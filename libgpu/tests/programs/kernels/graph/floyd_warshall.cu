// SPDX-License-Identifier: MIT
// All shortest paths, blocked: for each tile on the diagonal that tile itself, then its row and column of tiles, then
// the others, which need only two finished tiles. The matrix is padded to whole tiles.

constexpr int tile_size = 8;

struct Tile {
    int at[tile_size][tile_size];
};

__device__ void load(Tile& tile, const int* d, int width, int tile_row, int tile_column) {
    int row = tile_row * tile_size + threadIdx.y, column = tile_column * tile_size + threadIdx.x;
    tile.at[threadIdx.y][threadIdx.x] = d[row * width + column];
}

__device__ void store(const Tile& tile, int* d, int width, int tile_row, int tile_column) {
    int row = tile_row * tile_size + threadIdx.y, column = tile_column * tile_size + threadIdx.x;
    d[row * width + column] = tile.at[threadIdx.y][threadIdx.x];
}

__global__ void on_diagonal(int* d, int width, int k) {
    __shared__ Tile own;
    int x = threadIdx.x, y = threadIdx.y;
    load(own, d, width, k, k);
    for (int m = 0; m < tile_size; ++m) {
        __syncthreads();
        int path = min(own.at[y][x], own.at[y][m] + own.at[m][x]);
        __syncthreads();
        own.at[y][x] = path;
    }
    store(own, d, width, k, k);
}

// blockIdx.y 0: the tiles of row k; 1: those of column k.
__global__ void in_cross(int* d, int width, int k) {
    if (blockIdx.x == k) return;
    __shared__ Tile diagonal, own;
    int x = threadIdx.x, y = threadIdx.y;
    bool in_row = blockIdx.y == 0;
    int tile_row = in_row ? k : blockIdx.x, tile_column = in_row ? blockIdx.x : k;
    load(diagonal, d, width, k, k);
    load(own, d, width, tile_row, tile_column);
    for (int m = 0; m < tile_size; ++m) {
        __syncthreads();
        int through = in_row ? diagonal.at[y][m] + own.at[m][x] : own.at[y][m] + diagonal.at[m][x];
        int path = min(own.at[y][x], through);
        __syncthreads();
        own.at[y][x] = path;
    }
    store(own, d, width, tile_row, tile_column);
}

__global__ void elsewhere(int* d, int width, int k) {
    if (blockIdx.x == k || blockIdx.y == k) return;
    __shared__ Tile left, above;
    int row = blockIdx.y * tile_size + threadIdx.y, column = blockIdx.x * tile_size + threadIdx.x;
    load(left, d, width, blockIdx.y, k);
    load(above, d, width, k, blockIdx.x);
    __syncthreads();
    int path = d[row * width + column];
    for (int m = 0; m < tile_size; ++m) path = min(path, left.at[threadIdx.y][m] + above.at[m][threadIdx.x]);
    d[row * width + column] = path;
}
