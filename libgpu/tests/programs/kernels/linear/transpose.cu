// SPDX-License-Identifier: MIT
// Transposition by tiles in shared memory, so that reads and writes are both coalesced; a column more avoids bank
// conflicts.

constexpr int tile_size = 32;
constexpr int rows_per_step = 8;

__global__ void transpose(const float* x, float* y, int rows, int columns) {
    __shared__ float tile[tile_size][tile_size + 1];
    int column = blockIdx.x * tile_size + threadIdx.x, row = blockIdx.y * tile_size + threadIdx.y;
    for (int k = 0; k < tile_size; k += rows_per_step)
        if (row + k < rows && column < columns) tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * columns + column];
    __syncthreads();
    column = blockIdx.y * tile_size + threadIdx.x;
    row = blockIdx.x * tile_size + threadIdx.y;
    for (int k = 0; k < tile_size; k += rows_per_step)
        if (row + k < columns && column < rows) y[(row + k) * rows + column] = tile[threadIdx.x][threadIdx.y + k];
}
