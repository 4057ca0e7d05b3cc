// SPDX-License-Identifier: MIT
// Five-point Jacobi step: a tile with its halo in shared memory, the border of the grid stays as it is.

constexpr int tile_size = 16;

__global__ void step(const float* from, float* to, int width, int height) {
    __shared__ float tile[tile_size + 2][tile_size + 2];
    int x = blockIdx.x * tile_size + threadIdx.x, y = blockIdx.y * tile_size + threadIdx.y;
    for (int row = threadIdx.y; row < tile_size + 2; row += tile_size) {
        for (int column = threadIdx.x; column < tile_size + 2; column += tile_size) {
            int u = blockIdx.x * tile_size + column - 1, v = blockIdx.y * tile_size + row - 1;
            bool inside = u >= 0 && u < width && v >= 0 && v < height;
            tile[row][column] = inside ? from[v * width + u] : 0.0f;
        }
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    int r = threadIdx.y + 1, c = threadIdx.x + 1;
    bool on_border = x == 0 || x == width - 1 || y == 0 || y == height - 1;
    float mean = 0.25f * (tile[r - 1][c] + tile[r + 1][c] + tile[r][c - 1] + tile[r][c + 1]);
    to[y * width + x] = on_border ? tile[r][c] : mean;
}
