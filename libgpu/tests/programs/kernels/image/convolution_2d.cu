// SPDX-License-Identifier: MIT
// Two-dimensional convolution with the tile and its halo in dynamic shared memory. The image's edge is repeated.

__global__ void convolve(const float* from, const float* filter, float* to, int width, int height, int radius) {
    extern __shared__ float tile[];
    int tile_width = blockDim.x + 2 * radius, tile_height = blockDim.y + 2 * radius;
    for (int row = threadIdx.y; row < tile_height; row += blockDim.y) {
        for (int column = threadIdx.x; column < tile_width; column += blockDim.x) {
            int x = min(max(static_cast<int>(blockIdx.x * blockDim.x + column) - radius, 0), width - 1);
            int y = min(max(static_cast<int>(blockIdx.y * blockDim.y + row) - radius, 0), height - 1);
            tile[row * tile_width + column] = from[y * width + x];
        }
    }
    __syncthreads();
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    int size = 2 * radius + 1;
    float sum = 0.0f;
    for (int v = 0; v < size; ++v) {
        const float* line = tile + (threadIdx.y + v) * tile_width + threadIdx.x;
        for (int u = 0; u < size; ++u) sum += filter[(size - 1 - v) * size + size - 1 - u] * line[u];
    }
    to[y * width + x] = sum;
}
