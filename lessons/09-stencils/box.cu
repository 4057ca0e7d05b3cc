// SPDX-License-Identifier: MIT
// The mean of the (2 RADIUS + 1)^2 pixels around each pixel. TILE, the block's side, and RADIUS come with -D. The tiled
// kernel is close to exercise 16b: write yours before you read it.

__device__ int nearest(int k, int n) { return min(max(k, 0), n - 1); }

__global__ void tiled(const float* image, float* result, int rows, int columns) {
    constexpr int side = TILE + 2 * RADIUS;
    __shared__ float tile[side][side];
    // who am I
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * TILE + x, row = blockIdx.y * TILE + y;
    // load: the cells are numbered row by row, and each thread takes every TILE * TILE-th
    for (int cell = TILE * y + x; cell < side * side; cell += TILE * TILE) {
        const int from_row = nearest(blockIdx.y * TILE + cell / side - RADIUS, rows);
        const int from_column = nearest(blockIdx.x * TILE + cell % side - RADIUS, columns);
        tile[cell / side][cell % side] = image[from_row * columns + from_column];
    }
    // wait
    __syncthreads();
    // is there work
    if (row < rows && column < columns) {
        float sum = 0;
        for (int i = 0; i <= 2 * RADIUS; ++i)
            for (int j = 0; j <= 2 * RADIUS; ++j) sum += tile[y + i][x + j];      // compute
        result[row * columns + column] = sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1));  // store
    }
}

__global__ void naive(const float* image, float* result, int rows, int columns) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && column < columns) {
        float sum = 0;
        for (int i = -RADIUS; i <= RADIUS; ++i)
            for (int j = -RADIUS; j <= RADIUS; ++j)
                sum += image[nearest(row + i, rows) * columns + nearest(column + j, columns)];
        result[row * columns + column] = sum / ((2 * RADIUS + 1) * (2 * RADIUS + 1));
    }
}
