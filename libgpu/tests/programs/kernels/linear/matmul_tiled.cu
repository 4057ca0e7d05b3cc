// SPDX-License-Identifier: MIT
// Product of two matrices by tiles in shared memory; beyond the edges lie zeros.

constexpr int tile_size = 8;

__global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
    __shared__ float tile_a[tile_size][tile_size], tile_b[tile_size][tile_size];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * tile_size + y, column = blockIdx.x * tile_size + x;
    float sum = 0.0f;
    for (int first = 0; first < inner; first += tile_size) {
        tile_a[y][x] = row < rows && first + x < inner ? a[row * inner + first + x] : 0.0f;
        tile_b[y][x] = first + y < inner && column < columns ? b[(first + y) * columns + column] : 0.0f;
        __syncthreads();
        for (int k = 0; k < tile_size; ++k) sum += tile_a[y][k] * tile_b[k][x];
        __syncthreads();
    }
    if (row < rows && column < columns) c[row * columns + column] = sum;
}
