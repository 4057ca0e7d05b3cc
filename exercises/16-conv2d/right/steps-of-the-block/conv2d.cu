// SPDX-License-Identifier: MIT

// Exercise 16: an image convolved with 3 x 3 weights. Beyond its edge lies its nearest pixel.

struct Filter {
    float weight[3][3];
};

// The boundary rule as an index: of places k = -1 to n (or further out), the nearest one that is 0 to n - 1.
__device__ int nearest(int k, int n) {
    // ---- your code (1 line) ----
    return k < 0 ? 0 : k >= n ? n - 1 : k;
    // ---- end ----
}

__global__ void naive(const float* image, float* result, int rows, int columns, Filter filter) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (about 5 lines) ----
    if (row < rows && column < columns) {
        float sum = 0.0f;
        for (int di = -1; di <= 1; ++di) {
            const float* line = image + nearest(row + di, rows) * columns;
            for (int dj = -1; dj <= 1; ++dj) sum += filter.weight[1 - di][1 - dj] * line[nearest(column + dj, columns)];
        }
        result[row * columns + column] = sum;
    }
    // ---- end ----
}

__global__ void tiled(const float* image, float* result, int rows, int columns, Filter filter) {
    __shared__ float tile[18][18];   // cell (0, 0): the pixel above and to the left of the block's first one
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    // ---- your code (about 9 lines) ----
    // The tile is covered by the block's shape, moved on by 16 in both directions.
    for (int cell_row = y; cell_row < 18; cell_row += 16) {
        for (int cell_column = x; cell_column < 18; cell_column += 16) {
            const int from_row = nearest(blockIdx.y * 16 + cell_row - 1, rows);
            const int from_column = nearest(blockIdx.x * 16 + cell_column - 1, columns);
            tile[cell_row][cell_column] = image[from_row * columns + from_column];
        }
    }
    __syncthreads();
    if (row < rows && column < columns) {
        float sum = 0.0f;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) sum += filter.weight[2 - i][2 - j] * tile[y + i][x + j];
        result[row * columns + column] = sum;
    }
    // ---- end ----
}
