// SPDX-License-Identifier: MIT

// Exercise 16: an image convolved with 3 x 3 weights. Beyond its edge lies its nearest pixel.

struct Filter {
    float weight[3][3];
};

// The boundary rule as an index: of places k = -1 to n (or further out), the nearest one that is 0 to n - 1.
__device__ int nearest(int k, int n) {
    // ---- your code (1 line) ----
    return min(max(k, 0), n - 1);
    // ---- end ----
}

__global__ void naive(const float* image, float* result, int rows, int columns, Filter filter) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    // ---- your code (about 5 lines) ----
    if (row >= rows || column >= columns) return;   // no barrier follows
    float sum = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            sum += filter.weight[i][j] * image[nearest(row + 1 - i, rows) * columns + nearest(column + 1 - j, columns)];
    result[row * columns + column] = sum;
    // ---- end ----
}

__global__ void tiled(const float* image, float* result, int rows, int columns, Filter filter) {
    __shared__ float tile[18][18];   // cell (0, 0): the pixel above and to the left of the block's first one
    const int x = threadIdx.x, y = threadIdx.y;
    const int column = blockIdx.x * 16 + x, row = blockIdx.y * 16 + y;
    // ---- your code (about 9 lines) ----
    for (int cell = 16 * y + x; cell < 18 * 18; cell += 16 * 16) {   // 324 cells, 256 threads
        const int cell_row = nearest(blockIdx.y * 16 + cell / 18 - 1, rows);
        const int cell_column = nearest(blockIdx.x * 16 + cell % 18 - 1, columns);
        tile[cell / 18][cell % 18] = image[cell_row * columns + cell_column];
    }
    __syncthreads();   // every thread comes here, those without a pixel too
    if (16 * y + x >= 16) return;
    for (int pixel = 16 * y + x; pixel < 256; pixel += 16) {
        const int py = pixel / 16, px = pixel % 16, r = blockIdx.y * 16 + py, c = blockIdx.x * 16 + px;
        if (r >= rows || c >= columns) continue;
        float sum = 0;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) sum += filter.weight[i][j] * tile[py + 2 - i][px + 2 - j];
        result[r * columns + c] = sum;
    }
    // ---- end ----
}
